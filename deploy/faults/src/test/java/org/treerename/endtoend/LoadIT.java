package org.treerename.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.treerename.stack.ChildProcess;
import org.treerename.testservers.TestServers;

/**
 * {@link Load} over eight partitions and three workers, of which one is killed on the way, one joins, and one is asked to
 * stop. The checker judges it: in each partition, too, whether requests that overlap ran in the order of the log.
 *
 * <p>It belongs to {@code -Pfull}: thousands of renames take minutes. By default {@link ConcurrentRenamesIT} runs fifty renames
 * at once, {@link CrashPointsIT} kills workers, {@link StoppingIT} stops one, and the simulation does all of it with many seeds.
 */
@Tag("full")
final class LoadIT {

    private static final Logger log = LoggerFactory.getLogger(LoadIT.class);

    /** Long enough for busy processors. */
    private static final String LEASE = "--lease=20s";

    @Test
    void four_producers_get_every_outcome_though_workers_come_and_go() {
        Tree tree = Load.fill(Tree.create());
        try (Janitors janitors = Janitors.start(1, LEASE)) {
            Judge judge = Judge.of(tree);
            Group group = Group.atTheEndOfTheLog();
            String[] options = {LEASE, group.option()};
            try (Workers first = Workers.start(3, options)) {
                Load load = Load.begin(tree, TestServers.kafkaBootstrapServers());
                load.awaitEnded(0.25);
                first.processes().get(0).kill();
                log.info("killed one after {} outcomes", load.ended());
                load.awaitEnded(0.5);
                try (Workers joined = Workers.start(1, options)) {
                    load.awaitEnded(0.75);
                    first.processes().get(1).stop(ChildProcess.PATIENCE);
                    log.info("stopped one after {} outcomes; {} joined before", load.ended(), joined.ids());
                    load.awaitAll();
                    judge.assertGood(1);
                }
            }
            assertThat(janitors.processes()).allMatch(ChildProcess::isAlive);
        }
    }
}
