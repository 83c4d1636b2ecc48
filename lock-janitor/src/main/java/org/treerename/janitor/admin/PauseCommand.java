package org.treerename.janitor.admin;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.treerename.cli.DurationConverter;
import org.treerename.cli.Output;
import org.treerename.elastic.ControlIndex;
import org.treerename.elastic.Elastic;
import org.treerename.elastic.ElasticJournalSearch;
import org.treerename.elastic.ElasticPauseStore;
import org.treerename.elastic.ElasticProcessStore;
import org.treerename.process.Pause;
import org.treerename.process.WorkerPause;
import org.treerename.runtime.Time;
import org.treerename.service.ElasticsearchOptions;
import org.treerename.service.InstallationOptions;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The command {@code rename-admin pause}: pauses all workers. */
@Command(
        name = "pause",
        mixinStandardHelpOptions = true,
        description = {
            "Pauses all workers, including workers that start later. rename-admin unpause ends the pause. A worker"
                    + " detects the pause with its next heartbeat. It finishes the requests that it has begun, and"
                    + " begins no new request. It remains in its consumer group. New requests remain in their topic."
                    + " Janitors continue their work.",
            "With --wait, the command returns when each worker has detected the pause and no rename is in progress.",
            "The command does not wait for parked renames."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:the workers are paused (with --wait: no rename is in progress)",
            "1:the workers are not paused, or (with --wait) are not idle after --timeout",
            "2:wrong use",
            "3:no answer from Elasticsearch, or a refused request",
            "70:a defect in this program",
            "130:ended by SIGINT (Ctrl-C)"
        })
final class PauseCommand implements Callable<Integer> {

    private final Time time;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private InstallationOptions installation = new InstallationOptions();

    @Mixin
    private ElasticsearchOptions elasticsearch = new ElasticsearchOptions();

    @Mixin
    private Output output = new Output();

    @Option(
            names = "--by",
            defaultValue = "${sys:tree-rename.user}",
            paramLabel = "TEXT",
            description = "The name of the person who pauses the workers, and the reason. The log and the commands"
                    + " show this text (default: ${DEFAULT-VALUE}).")
    private String by = "";

    @Option(names = "--wait", description = "Wait until no rename is in progress.")
    private boolean wait;

    @Option(
            names = "--timeout",
            defaultValue = "10m",
            converter = DurationConverter.class,
            paramLabel = "DURATION",
            description = "The longest time to wait (default: ${DEFAULT-VALUE}).")
    private Duration timeout = Duration.ZERO;

    PauseCommand(Time time) {
        this.time = time;
    }

    @Override
    public Integer call() {
        try (Elastic elastic = Elastic.connect(elasticsearch.settings(installation.installation()))) {
            ControlIndex control = new ControlIndex(elastic);
            if (!control.isThere()) {
                output.object(
                        JsonNodeFactory.instance.objectNode().put("paused", false),
                        () -> List.of("there is no control index " + control.name()
                                + ": no worker of this installation has run, so no worker is paused"));
                return ExitCodes.NOT_WELL;
            }
            Optional<Pause> paused = new WorkerPause(new ElasticPauseStore(control), time).begin(by);
            if (paused.isEmpty()) {
                output.object(
                        JsonNodeFactory.instance.objectNode().put("paused", false),
                        () -> List.of("another command has just ended the pause; try again"));
                return ExitCodes.NOT_WELL;
            }
            output.note("workers are " + paused.get());
            if (!wait) {
                output.object(json(paused.get()), List::of);
                return ExitCodes.WELL;
            }
            boolean resting = new Drain(new ElasticProcessStore(control), new ElasticJournalSearch(control), time)
                    .await(timeout, waits -> spec.commandLine().getErr().println("rename-admin: " + waits));
            output.object(
                    json(paused.get()).put("idle", resting),
                    () -> List.of(
                            resting
                                    ? "no rename is in progress"
                                    : "the workers are not idle after --timeout; the workers are still paused;"
                                            + " run the command again to wait longer"));
            return resting ? ExitCodes.WELL : ExitCodes.NOT_WELL;
        }
    }

    private static ObjectNode json(Pause pause) {
        return JsonNodeFactory.instance
                .objectNode()
                .put("paused", true)
                .put("since", pause.since().toString())
                .put("by", pause.by());
    }
}
