package org.treerename.producer.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.treerename.cli.Output;
import org.treerename.elastic.Elastic;
import org.treerename.journal.State;
import org.treerename.overview.OverviewJson;
import org.treerename.producer.cli.gateway.ServerOptions;
import org.treerename.runtime.Printable;
import org.treerename.service.ElasticsearchOptions;
import org.treerename.service.InstallationOptions;
import org.treerename.store.NoAnswerException;
import org.treerename.store.RefusedException;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The command {@code rename list}: lists the requests in the journal. */
@Command(
        name = "list",
        mixinStandardHelpOptions = true,
        description = {
            "Lists requests in the journal, the latest request first. Without a filter, the command lists the recent"
                    + " requests of all namespaces. A namespace in the settings is a filter as well. A request is"
                    + " in the journal only after a worker has begun the request. A janitor deletes the entry of a"
                    + " request some days after the request has ended."
        },
        optionListHeading = "%n",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:requests were found",
            "1:nothing was found",
            "2:wrong use",
            "3:no answer from Elasticsearch or the gateway, or a refused request",
            "70:a defect in this program",
            "130:ended by SIGINT (Ctrl-C)"
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  rename list --running --elasticsearch-url http://localhost:9200",
            "  rename list --parked --path /archive/ --limit 100",
            "  rename list --state moving,parked -o json --server https://renames.example.com"
        })
final class ListCommand implements Callable<Integer> {

    /** The largest number of requests that a gateway returns in one page. */
    private static final int PAGE = 100;

    private static final Set<State> RENAMES = EnumSet.complementOf(EnumSet.of(State.HELD));
    private static final Set<State> RUNNING = EnumSet.of(State.PREPARED, State.RETRY, State.MOVING, State.DONE);

    private final Function<Elastic.Settings, JournalRequests> journal;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private ElasticsearchOptions elasticsearch = new ElasticsearchOptions();

    @Mixin
    private InstallationOptions installation = new InstallationOptions();

    @Mixin
    private ServerOptions server = new ServerOptions();

    @ArgGroup
    private Kind kind = new Kind();

    /** The filter by state. */
    static final class Kind {

        @Option(
                names = "--running",
                description = "List only requests in progress: they wait for locks, their documents move, or they are"
                        + " ending.")
        private boolean running;

        @Option(
                names = "--parked",
                description = "List only parked renames. They are decided, but a document cannot be moved.")
        private boolean parked;

        @Option(
                names = "--state",
                split = ",",
                paramLabel = "STATE",
                description =
                        "List only requests in these states, separated by commas: prepared, retry, moving, parked,"
                                + " done, rejected, failed, cancelled, closed. An ended request soon gets the state"
                                + " closed, and the list still shows its outcome.")
        private List<String> states = new ArrayList<>();
    }

    @Option(names = "--namespace", paramLabel = "NAME", description = "List only requests of this namespace.")
    private @Nullable String namespace;

    @Option(
            names = "--path",
            paramLabel = "PREFIX",
            description = "List only requests whose source or destination begins with this text.")
    private @Nullable String prefix;

    @Option(
            names = "--limit",
            defaultValue = "20",
            paramLabel = "N",
            description = "The maximum number of requests to print (default: ${DEFAULT-VALUE}).")
    private int limit;

    @Mixin
    private Output output = new Output();

    ListCommand(Function<Elastic.Settings, JournalRequests> journal) {
        this.journal = journal;
    }

    @Override
    public Integer call() {
        if (limit < 1) {
            throw new IllegalArgumentException("--limit must be at least 1, was " + limit);
        }
        Requests.Filter filter = new Requests.Filter(states(), namespace, prefix);
        try (Requests requests = requests()) {
            return print(requests, filter);
        } catch (NoAnswerException | RefusedException e) {
            err(String.valueOf(e.getMessage()));
            return ExitCodes.UNKNOWN;
        }
    }

    private Requests requests() {
        return server.client("--elasticsearch-url")
                .<Requests>map(GatewayRequests::new)
                .orElseGet(() -> journal.apply(elasticsearch.settings(installation.installation())));
    }

    private Set<State> states() {
        if (kind.running) {
            return RUNNING;
        }
        if (kind.parked) {
            return EnumSet.of(State.PARKED);
        }
        if (kind.states.isEmpty()) {
            return RENAMES;
        }
        Set<State> states = EnumSet.noneOf(State.class);
        kind.states.forEach(word -> states.add(state(word)));
        return states;
    }

    private static State state(String word) {
        return RENAMES.stream()
                .filter(state -> OverviewJson.word(state).equals(word))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("expected --state to be "
                        + String.join(
                                ", ", RENAMES.stream().map(OverviewJson::word).toList())
                        + ", was " + word));
    }

    private int print(Requests requests, Requests.Filter filter) {
        Output.Rows rows =
                output.list("REQUEST", "STATE", "NAMESPACE", "SOURCE", "DESTINATION", "MOVED", "REQUESTED", "BY");
        int printed = 0;
        String next = null;
        do {
            Requests.Page page = requests.list(filter, next, Math.min(limit - printed, PAGE));
            page.requests().forEach(request -> rows.add(request, cells(request)));
            rows.flush();
            printed += page.requests().size();
            next = page.next();
        } while (next != null && printed < limit);
        rows.end();
        if (next != null) {
            err("the list may be incomplete; a larger --limit shows more");
        }
        if (printed == 0) {
            err("no request was found");
        }
        return printed == 0 ? ExitCodes.NOT_DONE : ExitCodes.DONE;
    }

    private static Object[] cells(ObjectNode request) {
        String status = request.path("outcome").path("status").textValue();
        return new Object[] {
            text(request, "request_id"),
            text(request, "state") + (status == null ? "" : ": " + status),
            text(request, "namespace"),
            text(request, "source"),
            text(request, "destination"),
            OverviewJson.movedOfExpected(request),
            text(request, "requested_at"),
            text(request, "requested_by")
        };
    }

    private static String text(ObjectNode request, String field) {
        return request.hasNonNull(field) ? request.path(field).asText() : "-";
    }

    private void err(String message) {
        spec.commandLine().getErr().println("rename: " + Printable.of(message));
    }
}
