package org.treerename.producer.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.treerename.cli.DurationConverter;
import org.treerename.cli.Output;
import org.treerename.cli.Terminal;
import org.treerename.elastic.ControlIndex;
import org.treerename.elastic.Elastic;
import org.treerename.elastic.ElasticJournal;
import org.treerename.elastic.ElasticJournalSearch;
import org.treerename.elastic.ElasticLockStore;
import org.treerename.elastic.ElasticProcessStore;
import org.treerename.journal.State;
import org.treerename.overview.JournalSearch;
import org.treerename.overview.LockSearch;
import org.treerename.overview.Overview;
import org.treerename.overview.OverviewJson;
import org.treerename.overview.ProgressWatch;
import org.treerename.producer.cli.gateway.GatewayClient;
import org.treerename.producer.cli.gateway.ServerOptions;
import org.treerename.runtime.Durations;
import org.treerename.runtime.Printable;
import org.treerename.runtime.Time;
import org.treerename.service.ElasticsearchOptions;
import org.treerename.service.InstallationOptions;
import org.treerename.store.NoAnswerException;
import org.treerename.store.RefusedException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The command {@code rename watch}: shows the renames in progress. */
@Command(
        name = "watch",
        mixinStandardHelpOptions = true,
        description = "Shows the renames in progress, the oldest first. For each rename, the command shows the number"
                + " of moved documents, the number of all documents, the current rate, and the estimated"
                + " remaining time. On a terminal, the command"
                + " updates the screen. Otherwise it prints all lines again when a line changes. In JSON,"
                + " the command prints all renames after each read. The command runs until it is interrupted.",
        optionListHeading = "%n",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:the command has ended because of --once",
            "2:wrong use",
            "3:no answer from Elasticsearch or the gateway, or a refused request",
            "70:a defect in this program",
            "130:ended by SIGINT (Ctrl-C)"
        })
final class WatchCommand implements Callable<Integer> {

    private final Terminal terminal;
    private final Time time;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private InstallationOptions installation = new InstallationOptions();

    @Mixin
    private ElasticsearchOptions elasticsearch = new ElasticsearchOptions();

    @Mixin
    private ServerOptions server = new ServerOptions();

    @Option(names = "--namespace", paramLabel = "NAME", description = "Show only renames of this namespace.")
    private @Nullable String namespace;

    @Option(
            names = "--every",
            defaultValue = "1s",
            converter = DurationConverter.class,
            paramLabel = "DURATION",
            description = "The time between two reads of the renames (default: ${DEFAULT-VALUE}).")
    private Duration every = Duration.ZERO;

    @Option(
            names = "--limit",
            defaultValue = "20",
            paramLabel = "N",
            description = "The maximum number of renames to show, up to 1000 (default: ${DEFAULT-VALUE}).")
    private int limit;

    @Option(names = "--once", description = "Read the renames once and exit. The output contains no rates.")
    private boolean once;

    @Mixin
    private Output output = new Output();

    private List<String> shown = List.of();

    WatchCommand(Terminal terminal, Time time) {
        this.terminal = terminal;
        this.time = time;
    }

    @Override
    public Integer call() {
        if (limit < 1 || limit > JournalSearch.LARGEST_PAGE) {
            throw new IllegalArgumentException("--limit must be 1 to " + JournalSearch.LARGEST_PAGE + ", was " + limit);
        }
        if (!every.isPositive()) {
            throw new IllegalArgumentException("--every must be greater than 0, was " + Durations.text(every));
        }
        try {
            Optional<GatewayClient> gateway = server.client("--elasticsearch-url");
            if (gateway.isPresent()) {
                try (Requests requests = new GatewayRequests(gateway.get())) {
                    return watch(new GatewayWatch(requests, namespace, limit, time)::read);
                }
            }
            try (Elastic elastic = Elastic.connect(elasticsearch.settings(installation.installation()))) {
                ControlIndex control = new ControlIndex(elastic);
                ProgressWatch watch = new ProgressWatch(
                        new Overview(
                                new ElasticJournal(control),
                                new ElasticJournalSearch(control),
                                new LockSearch(new ElasticLockStore(control)),
                                new ElasticProcessStore(control)),
                        time);
                return watch(() -> watch.read(namespace, limit).stream()
                        .map(OverviewJson::of)
                        .toList());
            }
        } catch (NoAnswerException | RefusedException e) {
            spec.commandLine().getErr().println("rename: " + Printable.of(String.valueOf(e.getMessage())));
            return ExitCodes.UNKNOWN;
        }
    }

    private int watch(Supplier<List<ObjectNode>> renames) {
        show(renames.get());
        while (!once) {
            time.pause(every);
            show(renames.get());
        }
        return ExitCodes.DONE;
    }

    private void show(List<ObjectNode> renames) {
        if (!output.isForPeople()) {
            Output.Rows rows = output.list();
            renames.forEach(rows::add);
            rows.end();
            return;
        }
        PrintWriter out = spec.commandLine().getOut();
        List<String> lines = new ArrayList<>();
        renames.forEach(rename -> lines.add(line(rename)));
        if (lines.isEmpty()) {
            lines.add("no rename is in progress");
        }
        if (terminal.isThere() && !once) {
            out.print(Frame.over(shown.size(), lines));
            out.flush();
        } else if (!lines.equals(shown)) {
            lines.forEach(out::println);
        }
        shown = List.copyOf(lines);
    }

    static String line(ObjectNode rename) {
        String title = rename.hasNonNull("source")
                ? rename.path("source").asText() + " to "
                        + rename.path("destination").asText()
                : rename.path("request_id").asText();
        String place = rename.hasNonNull("namespace")
                ? " in " + rename.path("namespace").asText()
                : "";
        return Printable.of(title + place + ": " + stateText(rename));
    }

    private static String stateText(ObjectNode rename) {
        State state = RequestReport.state(rename);
        return switch (state) {
            case MOVING -> moving(rename);
            case PREPARED ->
                rename.hasNonNull("refusal")
                        ? "waits, " + rename.path("refusal").asText()
                        : "about to begin";
            case PARKED -> "parked, " + rename.path("parked").asText();
            default -> OverviewJson.word(state);
        };
    }

    private static String moving(ObjectNode rename) {
        long expected = rename.path("expected").asLong();
        long moved = rename.path("moved").asLong();
        StringBuilder text = new StringBuilder(moved + " of " + expected + " documents");
        if (expected > 0) {
            text.append(", ").append(Math.min(100, moved * 100 / expected)).append(" %");
        }
        if (rename.hasNonNull("documents_per_second")) {
            text.append(String.format(
                    Locale.ROOT,
                    ", %.0f per second",
                    rename.path("documents_per_second").asDouble()));
        }
        if (rename.hasNonNull("seconds_left")) {
            text.append(String.format(
                    Locale.ROOT, ", %.0f s left", rename.path("seconds_left").asDouble()));
        }
        return text.toString();
    }
}
