package org.treerename.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.treerename.stack.ChildProcess;
import org.treerename.testservers.TestServers;

/**
 * Runs {@link Load} on three workers. During the load each worker is replaced, as in an upgrade. For each worker, a new
 * worker joins the group first. Then the old worker receives a stop signal. {@link ChangeCheck} verifies the result.
 *
 * <p>This test belongs to {@code -Pfull}, because thousands of renames take minutes. By default {@link StoppingIT}
 * replaces one worker.
 */
@Tag("full")
final class RollingRestartIT {

    private static final Logger log = LoggerFactory.getLogger(RollingRestartIT.class);

    /** A lease that is long enough even if the processors are busy. */
    private static final String LEASE = "--lease=20s";

    private static final int WORKERS = 3;

    /** The exit code after SIGTERM. A process that does not end after SIGTERM is killed, and has another exit code. */
    private static final int SIGTERM = 143;

    @Test
    void all_workers_are_replaced_under_load_and_no_rename_is_taken_over() {
        Tree tree = Load.fill(Tree.create());
        List<Workers> workers = new ArrayList<>();
        try (Janitors janitors = Janitors.start(2, LEASE)) {
            ChangeCheck changeCheck = ChangeCheck.of(tree);
            String[] options = {LEASE, Group.atTheEndOfTheLog().option()};
            for (int i = 0; i < WORKERS; i++) {
                workers.add(Workers.start(1, options));
            }
            Load load = Load.begin(tree, TestServers.kafkaBootstrapServers());
            for (int i = 0; i < WORKERS; i++) {
                load.awaitEnded((i + 1) / (WORKERS + 1.0));
                workers.add(Workers.start(1, options));
                stop(workers.get(i));
                log.info("replaced worker {} after {} outcomes", i + 1, load.ended());
            }
            load.awaitAll();
            changeCheck.assertGood(0);
            assertThat(entries(tree))
                    .hasSizeGreaterThanOrEqualTo(Load.RENAMES / 2)
                    .noneMatch(
                            entry -> janitors.ids().contains(entry.path("owner").asText()));
            assertThat(janitors.ids()).allMatch(id -> Services.state(id).equals("live"));
        } finally {
            workers.forEach(Workers::close);
        }
        tree.assertNothingLeft();
    }

    private static List<JsonNode> entries(Tree tree) {
        return Es.control("rename").stream()
                .filter(entry -> entry.path("namespace").asText().equals(tree.name()))
                .toList();
    }

    private static void stop(Workers leaving) {
        ChildProcess process = leaving.processes().getFirst();
        String id = leaving.ids().iterator().next();
        process.stop(ChildProcess.PATIENCE);
        assertThat(process.waitFor(ChildProcess.PATIENCE)).isEqualTo(SIGTERM);
        assertThat(Services.state(id)).isEqualTo("stopped");
    }
}
