package org.treerename.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.treerename.stack.ChildProcess;
import org.treerename.testservers.TestServers;

/**
 * Runs {@link Load} on eight partitions and three workers. During the load, one worker is killed, one worker joins, and
 * one worker is stopped. {@link ChangeCheck} verifies the result. The test also verifies that overlapping requests of
 * one partition ran in the order of the log.
 *
 * <p>This test belongs to {@code -Pfull}, because thousands of renames take minutes. By default {@link
 * ConcurrentRenamesIT} runs fifty renames at once, {@link CrashPointsIT} kills workers, and {@link StoppingIT} stops a
 * worker. The simulation combines these faults with many seeds.
 */
@Tag("full")
final class LoadIT {

    private static final Logger log = LoggerFactory.getLogger(LoadIT.class);

    /** A lease that is long enough even if the processors are busy. */
    private static final String LEASE = "--lease=20s";

    @Test
    void four_producers_get_every_outcome_while_workers_die_join_and_stop() {
        Tree tree = Load.fill(Tree.create());
        try (Janitors janitors = Janitors.start(1, LEASE)) {
            ChangeCheck changeCheck = ChangeCheck.of(tree);
            Group group = Group.atTheEndOfTheLog();
            String[] options = {LEASE, group.option()};
            try (Workers first = Workers.start(3, options)) {
                Load load = Load.begin(tree, TestServers.kafkaBootstrapServers());
                load.awaitEnded(0.25);
                first.processes().get(0).kill();
                log.info("killed a worker after {} outcomes", load.ended());
                load.awaitEnded(0.5);
                try (Workers joined = Workers.start(1, options)) {
                    load.awaitEnded(0.75);
                    first.processes().get(1).stop(ChildProcess.PATIENCE);
                    log.info("stopped a worker after {} outcomes; {} joined before", load.ended(), joined.ids());
                    load.awaitAll();
                    changeCheck.assertGood(1);
                }
            }
            assertThat(janitors.processes()).allMatch(ChildProcess::isAlive);
        }
    }
}
