package org.treerename.janitor.admin;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.treerename.cli.DurationConverter;
import org.treerename.cli.Output;
import org.treerename.elastic.ControlIndex;
import org.treerename.elastic.Elastic;
import org.treerename.elastic.ElasticJournal;
import org.treerename.elastic.ElasticJournalSearch;
import org.treerename.elastic.ElasticLockStore;
import org.treerename.elastic.ElasticProcessStore;
import org.treerename.journal.JournalEntry;
import org.treerename.journal.State;
import org.treerename.lock.LockPriority;
import org.treerename.overview.JournalSearch;
import org.treerename.overview.JournalSearch.Filter;
import org.treerename.overview.JournalSearch.Order;
import org.treerename.overview.LockSearch;
import org.treerename.overview.Overview;
import org.treerename.overview.OverviewJson;
import org.treerename.overview.OwnedEntry;
import org.treerename.request.Status;
import org.treerename.runtime.Time;
import org.treerename.service.ElasticsearchOptions;
import org.treerename.service.InstallationOptions;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The command {@code rename-admin renames}: lists journal entries, the newest request first. */
@Command(
        name = "renames",
        mixinStandardHelpOptions = true,
        description =
                "Lists the journal entries, which are renames and holds of writers. The newest request is" + " first.",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:success",
            "2:wrong use",
            "3:no answer from Elasticsearch, or a refused request",
            "70:a defect in this program",
            "130:ended by SIGINT (Ctrl-C)"
        })
final class RenamesCommand implements Callable<Integer> {

    private final Time time;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private InstallationOptions installation = new InstallationOptions();

    @Mixin
    private ElasticsearchOptions elasticsearch = new ElasticsearchOptions();

    @ArgGroup
    private Kind kind = new Kind();

    /** The filter by state. Without an option of this group, the command lists all entries. */
    static final class Kind {

        @Option(
                names = "--running",
                description = "List only entries that a process is processing or that a janitor must take over.")
        private boolean running;

        @Option(
                names = "--waiting",
                description = "List only renames that are not decided. Most of them wait for locks, or for Kafka to"
                        + " deliver the request again.")
        private boolean waiting;

        @Option(
                names = "--parked",
                description =
                        "List only parked renames. They are decided, but one of their documents cannot be" + " moved.")
        private boolean parked;

        @Option(names = "--failed", description = "List only renames that failed.")
        private boolean failed;
    }

    @Option(
            names = "--since",
            converter = DurationConverter.class,
            paramLabel = "DURATION",
            description = "List only renames that were requested at most this long ago.")
    private @Nullable Duration since;

    @Option(names = "--namespace", paramLabel = "NAME", description = "List only renames of this namespace.")
    private @Nullable String namespace;

    @Option(names = "--process", paramLabel = "PROCESS_ID", description = "List only renames that this process owns.")
    private @Nullable String process;

    @Option(
            names = "--text",
            paramLabel = "TEXT",
            description = "List only renames with this text in the request id, in a path, or in requested_by. The"
                    + " case of letters is ignored.")
    private @Nullable String text;

    @Option(names = "--oldest", description = "Print the oldest request first.")
    private boolean oldest;

    @Option(
            names = "--limit",
            defaultValue = "100",
            paramLabel = "N",
            description = "The maximum number of entries to print (default: ${DEFAULT-VALUE}).")
    private int limit;

    @Mixin
    private Output output = new Output();

    RenamesCommand(Time time) {
        this.time = time;
    }

    @Override
    public Integer call() {
        if (limit < 1) {
            throw new IllegalArgumentException("--limit must be at least 1, was " + limit);
        }
        Output.Rows rows =
                output.list("REQUEST", "STATE", "NAMESPACE", "WHAT", "MOVED", "REQUESTED", "PROCESS", "REMARK");
        LockPriority after = null;
        int printed = 0;
        try (Elastic elastic = Elastic.connect(elasticsearch.settings(installation.installation()))) {
            ControlIndex control = new ControlIndex(elastic);
            ElasticJournal journal = new ElasticJournal(control);
            Overview overview = new Overview(
                    journal,
                    new ElasticJournalSearch(control),
                    new LockSearch(new ElasticLockStore(control)),
                    new ElasticProcessStore(control));
            do {
                Overview.Renames page = overview.renames(
                        filter(),
                        oldest ? Order.OLDEST_FIRST : Order.NEWEST_FIRST,
                        after,
                        Math.min(limit - printed, JournalSearch.LARGEST_PAGE));
                page.renames().forEach(rename -> add(rows, rename));
                rows.flush();
                printed += page.renames().size();
                after = page.next();
            } while (after != null && printed < limit);
        }
        rows.endOr("no request was found");
        if (after != null) {
            spec.commandLine()
                    .getErr()
                    .println("rename-admin: the list may be incomplete; a larger --limit shows more");
        }
        return ExitCodes.WELL;
    }

    private Filter filter() {
        return Filter.ALL
                .in(states())
                .of(namespace)
                .ownedBy(process)
                .since(since == null ? null : time.now().minus(since))
                .endedAs(kind.failed ? Status.FAILED : null)
                .with(text);
    }

    private Set<State> states() {
        if (kind.running) {
            return State.needingOwner();
        }
        if (kind.waiting) {
            return EnumSet.of(State.PREPARED, State.RETRY);
        }
        return kind.parked ? EnumSet.of(State.PARKED) : EnumSet.allOf(State.class);
    }

    private static void add(Output.Rows rows, OwnedEntry rename) {
        JournalEntry entry = rename.entry();
        ObjectNode json = OverviewJson.of(rename);
        rows.add(
                json,
                entry.requestId(),
                OverviewJson.word(entry.state())
                        + OverviewJson.status(entry).map(ended -> ": " + ended).orElse(""),
                entry.namespace().orElse("-"),
                EntryWords.what(entry),
                OverviewJson.movedOfExpected(json),
                entry.requestedAt().truncatedTo(ChronoUnit.SECONDS),
                entry.ownership().processId() + " (" + OverviewJson.word(rename.owner()) + ")",
                remark(entry));
    }

    private static String remark(JournalEntry entry) {
        if (entry.state() == State.PARKED && entry.parking() != null) {
            return entry.parking().toString();
        }
        if (entry.state().isFinal()) {
            return OverviewJson.reason(entry).orElse("");
        }
        String refusal = entry.waiting().refusal();
        return refusal == null ? "" : refusal;
    }
}
