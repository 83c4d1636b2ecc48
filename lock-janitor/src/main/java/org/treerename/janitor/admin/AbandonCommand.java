package org.treerename.janitor.admin;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.treerename.cli.Output;
import org.treerename.cli.Terminal;
import org.treerename.elastic.ControlIndex;
import org.treerename.elastic.Elastic;
import org.treerename.elastic.ElasticJournal;
import org.treerename.elastic.ElasticNamespaces;
import org.treerename.elastic.ElasticTreeStore;
import org.treerename.janitor.recovery.Abandonment;
import org.treerename.janitor.recovery.Abandonment.Answer;
import org.treerename.janitor.recovery.Unmoved;
import org.treerename.journal.Ending;
import org.treerename.journal.JournalEntry;
import org.treerename.overview.OverviewJson;
import org.treerename.runtime.Backoff;
import org.treerename.runtime.Printable;
import org.treerename.runtime.Time;
import org.treerename.service.ElasticsearchOptions;
import org.treerename.service.InstallationOptions;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The command {@code rename-admin abandon}: ends one parked rename that cannot finish. */
@Command(
        name = "abandon",
        mixinStandardHelpOptions = true,
        description = {
            "Ends a parked rename that cannot finish. The documents that were moved stay at the destination, and the"
                    + " other documents stay at the source. A janitor releases the locks and publishes the outcome."
                    + " The rename cannot be continued or undone afterwards.",
            "First try to correct the cause, and retry the rename with rename-admin retry-parked."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:the rename is abandoned, or --dry-run shows that it can be abandoned",
            "1:the rename is not parked, has no journal entry, or the abandonment was not confirmed",
            "2:wrong use",
            "3:no answer from Elasticsearch, or a refused request",
            "70:a defect in this program",
            "130:ended by SIGINT (Ctrl-C)"
        })
final class AbandonCommand implements Callable<Integer> {

    private static final String WORD = "abandon";

    private final Terminal terminal;
    private final Time time;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Parameters(
            index = "0",
            paramLabel = "REQUEST_ID",
            description = "The request id, as rename-admin renames --parked prints it.")
    private String requestId = "";

    @Mixin
    private InstallationOptions installation = new InstallationOptions();

    @Mixin
    private ElasticsearchOptions elasticsearch = new ElasticsearchOptions();

    @Mixin
    private Output output = new Output();

    @Option(names = "--yes", description = "Do not ask for confirmation.")
    private boolean yes;

    @Option(names = "--dry-run", description = "Only count the documents that were not moved; change nothing.")
    private boolean dryRun;

    @Option(
            names = "--requested-by",
            defaultValue = "${sys:tree-rename.user}",
            paramLabel = "TEXT",
            description = "The name of the person who abandons the rename (default: ${DEFAULT-VALUE}). The outcome"
                    + " contains this name.")
    private String requestedBy = "";

    AbandonCommand(Terminal terminal, Time time) {
        this.terminal = terminal;
        this.time = time;
    }

    @Override
    public Integer call() {
        try (Elastic elastic = Elastic.connect(elasticsearch.settings(installation.installation()))) {
            ControlIndex control = new ControlIndex(elastic);
            ElasticNamespaces namespaces = new ElasticNamespaces(elastic, control);
            var known = namespaces.all();
            Abandonment abandonment = new Abandonment(
                    new ElasticJournal(control),
                    namespaces,
                    new ElasticTreeStore(elastic, ElasticTreeStore.Limits.DEFAULT, () -> known),
                    time,
                    Backoff.Factory.jittered(time));
            Optional<Unmoved> unmoved = abandonment.examine(requestId);
            if (unmoved.isPresent()) {
                if (dryRun) {
                    return print("dry_run", unmoved.get().seen().value(), lines(unmoved.get()));
                }
                lines(unmoved.get()).forEach(line -> spec.commandLine().getErr().println(Printable.of(line)));
                if (!yes && !isConfirmed()) {
                    print("not_confirmed", unmoved.get().seen().value(), List.of("nothing is abandoned"));
                    return ExitCodes.NOT_WELL;
                }
            }
            return report(abandonment.abandon(requestId, requestedBy));
        }
    }

    private static List<String> lines(Unmoved unmoved) {
        JournalEntry entry = unmoved.seen().value();
        return List.of(
                EntryWords.of(entry),
                "parked: " + entry.parking(),
                "moved: at least " + entry.progress().moved() + " of "
                        + entry.progress().expected() + " documents",
                unmoved.inWords());
    }

    private boolean isConfirmed() {
        String typed = terminal.ask("type " + WORD + " to leave these documents where they are: ")
                .orElseThrow(() -> new IllegalArgumentException(
                        "expected a terminal for the confirmation, found none; use --yes"));
        return typed.strip().equals(WORD);
    }

    private int report(Answer answer) {
        return switch (answer) {
            case Answer.Abandoned abandoned ->
                print(
                        "abandoned",
                        abandoned.entry(),
                        List.of(
                                "request " + requestId + " is abandoned; a janitor releases its locks and publishes its"
                                        + " outcome at the next tick",
                                abandoned.entry().ended().map(Ending::outcome).orElse("")));
            case Answer.NotParked other -> {
                print(
                        "not_parked",
                        other.entry(),
                        List.of("request " + requestId + " is "
                                + OverviewJson.word(other.entry().state())
                                + "; only a parked rename can be abandoned"));
                yield ExitCodes.NOT_WELL;
            }
            case Answer.NoEntry none -> {
                output.object(
                        JsonNodeFactory.instance
                                .objectNode()
                                .put("request_id", requestId)
                                .put("result", "no_entry"),
                        () -> List.of("request " + requestId + " has no journal entry"));
                yield ExitCodes.NOT_WELL;
            }
        };
    }

    private int print(String result, JournalEntry entry, List<String> lines) {
        ObjectNode json = OverviewJson.of(entry);
        output.object(json.put("result", result), () -> lines);
        return ExitCodes.WELL;
    }
}
