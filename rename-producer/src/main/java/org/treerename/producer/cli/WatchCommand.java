package org.treerename.producer.cli;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.treerename.elastic.ControlIndex;
import org.treerename.elastic.Elastic;
import org.treerename.elastic.ElasticJournal;
import org.treerename.elastic.ElasticJournalSearch;
import org.treerename.elastic.ElasticLockStore;
import org.treerename.elastic.ElasticProcessStore;
import org.treerename.host.ElasticsearchOptions;
import org.treerename.host.InstallationOptions;
import org.treerename.overview.JournalSearch;
import org.treerename.overview.LockSearch;
import org.treerename.overview.Overview;
import org.treerename.overview.OverviewJson;
import org.treerename.overview.ProgressWatch;
import org.treerename.overview.UnderWay;
import org.treerename.rename.JournalEntry;
import org.treerename.runtime.DurationConverter;
import org.treerename.runtime.Printable;
import org.treerename.runtime.Terminal;
import org.treerename.runtime.Time;
import org.treerename.store.NoAnswerException;
import org.treerename.store.RefusedException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code rename watch}: shows the renames in progress. */
@Command(
        name = "watch",
        description =
                "Shows the renames in progress, the oldest first. For each rename it shows the moved documents, all"
                        + " documents, the current rate, and the estimated remaining time. On a terminal, the command"
                        + " updates the screen. Otherwise it prints new lines when something changes. The command"
                        + " runs until it is interrupted.",
        optionListHeading = "%n",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:the command has ended because of --once",
            "2:wrong use",
            "3:Elasticsearch does not answer or refuses the request",
            "70:a defect of this program"
        })
final class WatchCommand implements Callable<Integer> {

    private static final double MILLIS_PER_SECOND = 1_000.0;

    private final Terminal terminal;
    private final Time time;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private InstallationOptions installation = new InstallationOptions();

    @Mixin
    private ElasticsearchOptions elasticsearch = new ElasticsearchOptions();

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

    @Option(names = "--once", description = "Read the renames once and exit. The rates are then unknown.")
    private boolean once;

    @Option(names = "--json", description = "Print one JSON object per line.")
    private boolean json;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this help message and exit.")
    boolean help;

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
            throw new IllegalArgumentException("--every must be greater than 0, was " + every);
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
            show(watch.read(namespace, limit));
            while (!once) {
                time.pause(every);
                show(watch.read(namespace, limit));
            }
            return ExitCodes.DONE;
        } catch (NoAnswerException | RefusedException e) {
            spec.commandLine().getErr().println("rename: " + Printable.of(String.valueOf(e.getMessage())));
            return ExitCodes.UNKNOWN;
        }
    }

    private void show(List<UnderWay> renames) {
        PrintWriter out = spec.commandLine().getOut();
        if (json) {
            renames.forEach(rename -> out.println(OverviewJson.line(OverviewJson.of(rename))));
            return;
        }
        List<String> lines = new ArrayList<>();
        renames.forEach(rename -> lines.add(line(rename)));
        if (lines.isEmpty()) {
            lines.add("no rename is under way");
        }
        if (terminal.isThere() && !once) {
            out.print(Frame.over(shown.size(), lines));
            out.flush();
        } else if (!lines.equals(shown)) {
            lines.forEach(out::println);
        }
        shown = List.copyOf(lines);
    }

    static String line(UnderWay progress) {
        JournalEntry entry = progress.rename().entry();
        var request = entry.request();
        String title = request == null ? entry.requestId() : request.source() + " to " + request.destination();
        return Printable.of(
                title + entry.namespace().map(name -> " in " + name).orElse("") + ": " + stateText(progress, entry));
    }

    private static String stateText(UnderWay progress, JournalEntry entry) {
        return switch (entry.state()) {
            case MOVING -> moving(progress, entry);
            case PREPARED -> {
                String refusal = entry.waiting().refusal();
                yield refusal == null ? "about to begin" : "waits, " + refusal;
            }
            case PARKED -> "parked, " + entry.parking();
            default -> OverviewJson.word(entry.state());
        };
    }

    private static String moving(UnderWay progress, JournalEntry entry) {
        long expected = entry.progress().expected();
        long moved = entry.progress().moved();
        StringBuilder text = new StringBuilder(moved + " of " + expected + " documents");
        if (expected > 0) {
            text.append(", ").append(Math.min(100, moved * 100 / expected)).append(" %");
        }
        progress.documentsPerSecond()
                .ifPresent(rate -> text.append(String.format(Locale.ROOT, ", %.0f per second", rate)));
        progress.left()
                .ifPresent(left ->
                        text.append(String.format(Locale.ROOT, ", %.0f s left", left.toMillis() / MILLIS_PER_SECOND)));
        return text.toString();
    }
}
