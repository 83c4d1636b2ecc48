package org.treerename.janitor.admin;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.treerename.cli.DurationConverter;
import org.treerename.cli.Output;
import org.treerename.elastic.ControlIndex;
import org.treerename.elastic.Elastic;
import org.treerename.elastic.ElasticJournalSearch;
import org.treerename.elastic.ElasticPauseStore;
import org.treerename.elastic.ElasticProcessStore;
import org.treerename.janitor.process.ProcessWatch;
import org.treerename.overview.OverviewJson;
import org.treerename.overview.ProcessSeen;
import org.treerename.overview.ProcessSeen.Sign;
import org.treerename.process.Pause;
import org.treerename.runtime.Time;
import org.treerename.service.ElasticsearchOptions;
import org.treerename.service.InstallationOptions;
import org.treerename.store.Versioned;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command {@code rename-admin processes}: lists the processes and their heartbeats. */
@Command(
        name = "processes",
        mixinStandardHelpOptions = true,
        description = {
            "Lists workers, janitors and writers. For each process, the command shows the heartbeat and the number of"
                    + " renames that the process owns. For a writer, this is the number of its holds."
                    + " A heartbeat contains no time. So the command watches each"
                    + " heartbeat until it changes, at most for --watch.",
            "The list shows a dead process as live until a janitor has seen no heartbeat for one lease."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:success",
            "2:wrong use",
            "3:no answer from Elasticsearch, or a refused request",
            "70:a defect in this program",
            "130:ended by SIGINT (Ctrl-C)"
        })
final class ProcessesCommand implements Callable<Integer> {

    private static final double MILLIS_PER_SECOND = 1_000.0;

    private final Time time;

    @Mixin
    private InstallationOptions installation = new InstallationOptions();

    @Mixin
    private ElasticsearchOptions elasticsearch = new ElasticsearchOptions();

    @Option(
            names = "--watch",
            defaultValue = "10s",
            converter = DurationConverter.class,
            paramLabel = "DURATION",
            description = "The longest time to watch the heartbeats (default: ${DEFAULT-VALUE}). 0s reads each"
                    + " heartbeat once. The time must be at least one lease to find a silent process.")
    private Duration watch = Duration.ZERO;

    @Option(names = "--all", description = "Also list ended processes that own no journal entry.")
    private boolean all;

    @Mixin
    private Output output = new Output();

    ProcessesCommand(Time time) {
        this.time = time;
    }

    @Override
    public Integer call() {
        List<ProcessSeen> seen;
        Optional<Pause> pause;
        try (Elastic elastic = Elastic.connect(elasticsearch.settings(installation.installation()))) {
            ControlIndex control = new ControlIndex(elastic);
            seen = new ProcessWatch(new ElasticProcessStore(control), new ElasticJournalSearch(control), time)
                    .watch(watch);
            pause = new ElasticPauseStore(control).read().map(Versioned::value);
        }
        List<ProcessSeen> shown = seen.stream()
                .filter(process -> all || process.sign() != Sign.ENDED || process.ownedRenames() > 0)
                .toList();
        pause.ifPresent(current -> output.note("workers are " + current));
        Output.Rows rows = output.list("PROCESS", "STATE", "HEARTBEAT", "LEASE", "OWNS", "HOST", "STARTED");
        shown.forEach(process -> rows.add(
                OverviewJson.of(process).put("paused", pause.isPresent() && isWorker(process)),
                process.document().id(),
                process.document().state().stored(),
                heartbeat(process),
                seconds(process.document().lease()),
                process.ownedRenames(),
                process.document().host(),
                process.document().startedAt()));
        rows.endOr(all ? "no process was found" : "no live process was found; --all also lists ended processes");
        return ExitCodes.WELL;
    }

    private static boolean isWorker(ProcessSeen process) {
        return process.document().service().equals("worker");
    }

    private static String heartbeat(ProcessSeen process) {
        return switch (process.sign()) {
            case BEATING -> "beating";
            case UNSURE -> "unchanged for " + seconds(process.still());
            case SILENT -> "silent for " + seconds(process.still());
            case ENDED -> "-";
        };
    }

    private static String seconds(Duration duration) {
        return String.format(Locale.ROOT, "%.1f s", duration.toMillis() / MILLIS_PER_SECOND);
    }
}
