package org.treerename.endtoend;

import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.treerename.endtoend.CaughtMove.MovingService;
import org.treerename.runtime.SystemTime;

/**
 * Kills the only node of an Elasticsearch cluster in the middle of a move, and restarts the node. All processes wait
 * for the node and continue. By default a worker moves the documents. Only {@code -Pfull} tests the janitor, because
 * each case restarts Elasticsearch, and the janitor uses the same client as the worker.
 */
final class SingleNodeCrashIT {

    private static Log topics;

    @BeforeAll
    static void start() {
        topics = Log.open();
    }

    @AfterAll
    static void stop() {
        topics.close();
    }

    static Stream<MovingService> service() {
        return Series.of(1, Stream.of(MovingService.values()));
    }

    @ParameterizedTest(name = "while a {0} moves")
    @MethodSource("service")
    void no_process_is_fenced_and_the_rename_ends(MovingService service) {
        Elasticsearch elasticsearch =
                Elasticsearch.at(KillableServers.elasticsearch().url());
        try (CaughtMove move = CaughtMove.begin(elasticsearch, topics, service)) {
            KillableServers.elasticsearch().kill();
            move.release();
            new SystemTime().pause(CaughtMove.LEASE.multipliedBy(2));
            KillableServers.elasticsearch().restart();
            move.awaitOutcome();
            move.assertNothingWasLostAndNoLiveProcessFenced();
        }
    }
}
