package org.treerename.janitor.admin;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.treerename.elastic.ControlIndex;
import org.treerename.elastic.Elastic;
import org.treerename.elastic.ElasticJournalSearch;
import org.treerename.elastic.ElasticPauseStore;
import org.treerename.elastic.ElasticProcessStore;
import org.treerename.host.ElasticsearchOptions;
import org.treerename.overview.Standstill;
import org.treerename.process.Pause;
import org.treerename.runtime.DurationConverter;
import org.treerename.runtime.Printable;
import org.treerename.runtime.Time;
import org.treerename.store.WriteResult;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code rename-admin pause}. */
@Command(
        name = "pause",
        mixinStandardHelpOptions = true,
        description = {
            "Has all workers begin nothing new, those that start later, too, until rename-admin unpause. They notice it with their"
                    + " next heartbeat, bring to its end what they have begun, and stay in their consumer group; requests stay"
                    + " in their topic. Janitors go on.",
            "With --wait it comes back when each worker has noticed it and no rename is open."
        },
        footer = {
            "",
            "Exit codes: 0 paused, and with --wait at rest, 1 not at rest within --timeout, and paused all the same, or there is"
                    + " no control index, 2 wrong use, 3 Elasticsearch did not answer."
        })
final class PauseCommand implements Callable<Integer> {

    private final Time time;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private ElasticsearchOptions elasticsearch = new ElasticsearchOptions();

    @Option(
            names = "--by",
            defaultValue = "${sys:user.name}",
            paramLabel = "TEXT",
            description = "Who pauses the workers, and why. The log and the commands report it (default:"
                    + " ${DEFAULT-VALUE}).")
    private String by = "";

    @Option(names = "--wait", description = "Wait until no rename runs.")
    private boolean wait;

    @Option(
            names = "--timeout",
            defaultValue = "10m",
            converter = DurationConverter.class,
            paramLabel = "DURATION",
            description = "How long to wait at most (default: ${DEFAULT-VALUE}).")
    private Duration timeout = Duration.ZERO;

    PauseCommand(Time time) {
        this.time = time;
    }

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        try (Elastic elastic = Elastic.connect(elasticsearch.settings())) {
            ControlIndex control = new ControlIndex(elastic);
            if (!control.isThere()) {
                out.println("there is no control index " + ControlIndex.NAME
                        + ": no worker has run here, and none is paused");
                return ExitCodes.NOT_WELL;
            }
            out.println(paused(new ElasticPauseStore(control)));
            if (!wait) {
                return ExitCodes.WELL;
            }
            boolean resting = new Standstill(new ElasticProcessStore(control), new ElasticJournalSearch(control), time)
                    .await(timeout, waits -> spec.commandLine().getErr().println("rename-admin: " + waits));
            out.println(resting ? "nothing runs" : "not at rest within --timeout; the workers stay paused");
            return resting ? ExitCodes.WELL : ExitCodes.NOT_WELL;
        }
    }

    private String paused(ElasticPauseStore pauses) {
        Pause pause = new Pause(time.now(), by);
        if (pauses.create(pause) instanceof WriteResult.Written) {
            return "workers are " + Printable.of(pause.toString());
        }
        return "workers are "
                + Printable.of(pauses.read()
                        .orElseThrow(() -> new IllegalStateException("somebody has just ended a pause; try again"))
                        .value()
                        .toString());
    }
}
