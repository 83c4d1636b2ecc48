package org.treerename.janitor.admin;

import java.io.PrintWriter;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.treerename.elastic.ControlIndex;
import org.treerename.elastic.Elastic;
import org.treerename.elastic.ElasticPauseStore;
import org.treerename.host.ElasticsearchOptions;
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
                "Has all workers go on after rename-admin pause; they notice it with their next heartbeat. It takes up no"
                        + " parked rename: that is rename-admin resume REQUEST_ID.",
        footer = {"", "Exit codes: 0 they are not paused, 1 they are, 2 wrong use, 3 Elasticsearch did not answer."})
final class UnpauseCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private ElasticsearchOptions elasticsearch = new ElasticsearchOptions();

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        try (Elastic elastic = Elastic.connect(elasticsearch.settings())) {
            ElasticPauseStore pauses = new ElasticPauseStore(new ControlIndex(elastic));
            Optional<Versioned<Pause>> standing = pauses.read();
            if (standing.isEmpty()) {
                out.println("workers are not paused");
                return ExitCodes.WELL;
            }
            if (pauses.delete(standing.get().version()) instanceof WriteResult.Conflict) {
                out.println("the pause changed meanwhile; try again");
                return ExitCodes.NOT_WELL;
            }
            out.println("workers go on; they were "
                    + Printable.of(standing.get().value().toString()));
            return ExitCodes.WELL;
        }
    }
}
