package org.treerename.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.treerename.endtoend.CaughtMove.MovingService;
import org.treerename.runtime.SystemTime;

/**
 * Tests faults of the node that has the primary of the control index. The node is killed, frozen, or cut off from the
 * other nodes. During the fault, a worker moves documents, or a janitor rolls a dead worker's rename forward. The
 * cluster has three nodes, and the services know the URLs of all three nodes. No process is fenced, and the rename
 * completes.
 *
 * <p>All tests of this class belong to {@code -Pfull}: the three nodes need 50 seconds of processor time to start. In
 * addition, a node is cut off for longer than the other nodes need to elect a master. By default {@link
 * SingleNodeCrashIT} kills a node. {@code CircuitTest}, {@code OneNodeTest} and {@code DeathWatchTest} simulate nodes
 * that are unavailable or return old documents.
 */
@Tag("full")
final class ClusterFaultsIT {

    /** The kinds of faults. */
    enum Fault {
        KILLED,
        FROZEN,
        CUT_OFF
    }

    private static final Logger log = LoggerFactory.getLogger(ClusterFaultsIT.class);
    private static final String CONTROL = "tree-rename-control";
    private static final int STALE_ANSWERS = 5;
    private static final Duration POLL_INTERVAL = Duration.ofMillis(250);
    private static final Duration FROZEN_FOR = Duration.ofSeconds(25);

    /** The time for which a node is cut off. The other nodes need less time to elect a master. */
    private static final Duration CUT_OFF_FOR = Duration.ofSeconds(25);

    @TempDir
    private static Path folder;

    private static ElasticsearchCluster cluster;
    private static Elasticsearch elasticsearch;
    private static Log topics;

    @BeforeAll
    static void start() throws IOException {
        cluster = ElasticsearchCluster.start(folder);
        elasticsearch = cluster.http();
        Tree.createIn(elasticsearch);
        elasticsearch.put("/" + CONTROL + "/_settings", "{\"index.auto_expand_replicas\":\"0-1\"}");
        StaleSearches.prepare(elasticsearch);
        topics = Log.open();
    }

    @AfterAll
    static void stop() {
        topics.close();
        cluster.close();
    }

    static Stream<Arguments> cases() {
        return Stream.of(Fault.values())
                .flatMap(fault -> Stream.of(MovingService.values()).map(service -> Arguments.of(fault, service)));
    }

    @ParameterizedTest(name = "{0} while a {1} moves")
    @MethodSource("cases")
    void no_process_is_fenced_and_the_rename_ends(Fault fault, MovingService service) throws InterruptedException {
        cluster.awaitWhole();
        ClusterNode node = cluster.primaryOf(CONTROL);
        cluster.expectFaultOf(node);
        log.info("{} of {} while a {} moves; the master is {}", fault, node.name(), service, cluster.master());
        try (CaughtMove move = CaughtMove.begin(elasticsearch, topics, service)) {
            cause(fault, node, move);
            move.awaitOutcome();
            if (fault == Fault.KILLED) {
                node.restart();
            }
            cluster.awaitWhole();
            move.assertNothingWasLostAndNoLiveProcessFenced();
        }
    }

    /** Causes the fault. The move continues while the node is unavailable. */
    private static void cause(Fault fault, ClusterNode node, CaughtMove move) throws InterruptedException {
        switch (fault) {
            case KILLED -> {
                node.kill();
                move.release();
            }
            case FROZEN -> {
                Process freezing = node.freeze(FROZEN_FOR);
                move.release();
                assertThat(freezing.waitFor()).isZero();
            }
            case CUT_OFF -> cutOff(node, move);
        }
    }

    private static void cutOff(ClusterNode node, CaughtMove move) {
        long begun = System.nanoTime();
        cluster.cutOff(node);
        move.release();
        try {
            cluster.awaitTwo();
            log.info("the other nodes elected a master without {} after {} ms", node.name(), millisSince(begun));
            awaitStaleAnswers(node, move.janitors().iterator().next());
            StaleSearches.assertNotTrusted(node, elasticsearch);
            new SystemTime().pause(Duration.ofMillis(Math.max(0, CUT_OFF_FOR.toMillis() - millisSince(begun))));
        } finally {
            cluster.heal();
        }
    }

    /**
     * Blocks until the cut-off node has answered several times with a heartbeat that is older than the current
     * heartbeat.
     */
    private static void awaitStaleAnswers(ClusterNode node, String janitor) {
        Elasticsearch primary = cluster.primaryOf(CONTROL).http();
        AtomicInteger stale = new AtomicInteger();
        AtomicInteger polls = new AtomicInteger();
        Awaitility.await("stale answers of " + node.name())
                .pollInterval(POLL_INTERVAL)
                .atMost(Log.PATIENCE)
                .until(() -> {
                    long there = heartbeat(node.http(), janitor);
                    polls.incrementAndGet();
                    boolean isBehind = there >= 0 && heartbeat(primary, janitor) > there;
                    return (isBehind ? stale.incrementAndGet() : stale.get()) >= STALE_ANSWERS;
                });
        log.info("{} of {} answers of {} were stale", stale, polls, node.name());
    }

    /** Reads the heartbeat of a process from this node. Returns -1 if the node does not return the heartbeat. */
    private static long heartbeat(Elasticsearch node, String processId) {
        return node.get("/" + CONTROL + "/_doc/process:" + processId + "?preference=_local")
                .path("_source")
                .path("heartbeat")
                .asLong(-1);
    }

    private static long millisSince(long nanos) {
        return Duration.ofNanos(System.nanoTime() - nanos).toMillis();
    }
}
