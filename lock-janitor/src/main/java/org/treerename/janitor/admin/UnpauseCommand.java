package org.treerename.janitor.admin;

import java.io.PrintWriter;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.treerename.elastic.ControlIndex;
import org.treerename.elastic.Elastic;
import org.treerename.elastic.ElasticPauseStore;
import org.treerename.host.ElasticsearchOptions;
import org.treerename.host.InstallationOptions;
import org.treerename.process.Pause;
import org.treerename.runtime.Printable;
import org.treerename.store.Versioned;
import org.treerename.store.WriteResult;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code rename-admin unpause}. */
@Command(
        name = "unpause",
        mixinStandardHelpOptions = true,
        description =
                "Ends the pause that rename-admin pause began. The workers notice the end with their next heartbeat."
                        + " This command resumes no parked rename. For a parked rename, use rename-admin resume"
                        + " REQUEST_ID.",
        footer = {
            "",
            "Exit codes: 0 the workers are not paused; 1 the workers are still paused; 2 wrong use; 3 Elasticsearch"
                    + " did not answer."
        })
final class UnpauseCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private InstallationOptions installation = new InstallationOptions();

    @Mixin
    private ElasticsearchOptions elasticsearch = new ElasticsearchOptions();

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        try (Elastic elastic = Elastic.connect(elasticsearch.settings(installation.installation()))) {
            ElasticPauseStore pauses = new ElasticPauseStore(new ControlIndex(elastic));
            Optional<Versioned<Pause>> pause = pauses.read();
            if (pause.isEmpty()) {
                out.println("workers are not paused");
                return ExitCodes.WELL;
            }
            if (pauses.delete(pause.get().version()) instanceof WriteResult.Conflict) {
                out.println("the pause has just changed; try again");
                return ExitCodes.NOT_WELL;
            }
            out.println("the workers continue; they were "
                    + Printable.of(pause.get().value().toString()));
            return ExitCodes.WELL;
        }
    }
}
