package org.treerename.janitor.admin;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.util.List;
import java.util.concurrent.Callable;
import org.treerename.cli.Output;
import org.treerename.elastic.ControlIndex;
import org.treerename.elastic.Elastic;
import org.treerename.elastic.ElasticPauseStore;
import org.treerename.process.WorkerPause;
import org.treerename.process.WorkerPause.End;
import org.treerename.runtime.Time;
import org.treerename.service.ElasticsearchOptions;
import org.treerename.service.InstallationOptions;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** The command {@code rename-admin unpause}: ends the pause of all workers. */
@Command(
        name = "unpause",
        mixinStandardHelpOptions = true,
        description = "Ends the pause of all workers. Each worker detects the end of the pause with its next"
                + " heartbeat. This command does not retry parked renames. To retry a parked rename, use"
                + " rename-admin retry-parked REQUEST_ID.",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:the workers are not paused",
            "1:the workers may still be paused",
            "2:wrong use",
            "3:no answer from Elasticsearch, or a refused request",
            "70:a defect in this program",
            "130:ended by SIGINT (Ctrl-C)"
        })
final class UnpauseCommand implements Callable<Integer> {

    private final Time time;

    @Mixin
    private InstallationOptions installation = new InstallationOptions();

    @Mixin
    private ElasticsearchOptions elasticsearch = new ElasticsearchOptions();

    @Mixin
    private Output output = new Output();

    UnpauseCommand(Time time) {
        this.time = time;
    }

    @Override
    public Integer call() {
        try (Elastic elastic = Elastic.connect(elasticsearch.settings(installation.installation()))) {
            ElasticPauseStore pauses = new ElasticPauseStore(new ControlIndex(elastic));
            return switch (new WorkerPause(pauses, time).end()) {
                case End.NotPaused notPaused -> print(false, "workers are not paused");
                case End.Changed changed ->
                    print(true, "the pause is not ended, because it changed during this command; try again");
                case End.Ended ended -> print(false, "the workers continue; they had been " + ended.pause());
            };
        }
    }

    private int print(boolean isPaused, String line) {
        output.object(JsonNodeFactory.instance.objectNode().put("paused", isPaused), () -> List.of(line));
        return isPaused ? ExitCodes.NOT_WELL : ExitCodes.WELL;
    }
}
