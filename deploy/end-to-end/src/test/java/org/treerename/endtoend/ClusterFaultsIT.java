package org.treerename.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.treerename.endtoend.CaughtMove.Carrying;

/**
 * The node with the primary of the control index is killed, frozen, or cut off from the others, while a worker moves
 * documents, or while a janitor rolls a dead worker's rename forward. The services know all three nodes. Nobody is fenced
 * for what Elasticsearch does, and the rename ends as if nothing had happened.
 */
final class ClusterFaultsIT {

    /** What happens to the node. */
    enum Fault {
        KILLED,
        FROZEN,
        CUT_OFF
    }

    private static final Logger log = LoggerFactory.getLogger(ClusterFaultsIT.class);
    private static final String CONTROL = "tree-rename-control";
    private static final int LOOKS = 20;
    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(250);
    private static final Duration FROZEN_FOR = Duration.ofSeconds(40);
    private static final Duration CUT_OFF_FOR = Duration.ofSeconds(65);

    @TempDir
    private static Path folder;

    private static ElasticsearchCluster cluster;
    private static Elasticsearch elasticsearch;
    private static Log topics;
    private static Services janitors;

    @BeforeAll
    static void start() throws IOException {
        cluster = ElasticsearchCluster.start(folder);
        elasticsearch = cluster.http();
        Tree.createIn(elasticsearch);
        elasticsearch.put("/" + CONTROL + "/_settings", "{\"index.auto_expand_replicas\":\"0-1\"}");
        StaleSearches.prepare(elasticsearch);
        topics = Log.open();
        janitors = CaughtMove.janitors(elasticsearch);
    }

    @AfterAll
    static void stop() {
        janitors.close();
        topics.close();
        cluster.close();
    }

    /** Two of the six; all where tests are to be repeated. */
    static Stream<Arguments> cases() {
        Stream<Arguments> two =
                Stream.of(Arguments.of(Fault.KILLED, Carrying.JANITOR), Arguments.of(Fault.CUT_OFF, Carrying.WORKER));
        Stream<Arguments> others = Stream.of(
                Arguments.of(Fault.KILLED, Carrying.WORKER),
                Arguments.of(Fault.FROZEN, Carrying.WORKER),
                Arguments.of(Fault.FROZEN, Carrying.JANITOR),
                Arguments.of(Fault.CUT_OFF, Carrying.JANITOR));
        return Integer.getInteger("repeat", 1) > 1 ? Stream.concat(two, others) : two;
    }

    @ParameterizedTest(name = "{0} while a {1} moves")
    @MethodSource("cases")
    void nobodyIsFencedAndTheRenameEnds(Fault fault, Carrying carrying) throws InterruptedException {
        cluster.awaitWhole();
        ClusterNode node = cluster.primaryOf(CONTROL);
        cluster.expectFaultOf(node);
        log.info("{} of {} while a {} moves; the master is {}", fault, node.name(), carrying, cluster.master());
        try (CaughtMove move = CaughtMove.begin(elasticsearch, topics, janitors, carrying)) {
            strike(fault, node);
            move.awaitOutcome();
            if (fault == Fault.KILLED) {
                node.restart();
            }
            cluster.awaitWhole();
            move.assertNothingWasLostAndNobodyFenced();
        }
    }

    private static void strike(Fault fault, ClusterNode node) throws InterruptedException {
        switch (fault) {
            case KILLED -> node.kill();
            case FROZEN -> assertThat(node.freeze(FROZEN_FOR).waitFor()).isZero();
            case CUT_OFF -> cutOff(node);
        }
    }

    private static void cutOff(ClusterNode node) throws InterruptedException {
        long begun = System.nanoTime();
        cluster.cutOff(node);
        try {
            cluster.awaitTwo();
            log.info("the others elected without {} after {} ms", node.name(), millisSince(begun));
            assertThat(staleAnswers(node)).isPositive();
            StaleSearches.assertNotTrusted(node, elasticsearch);
            Thread.sleep(Math.max(0, CUT_OFF_FOR.toMillis() - millisSince(begun)));
        } finally {
            cluster.heal();
        }
    }

    /** How often the cut-off node answers with a heartbeat that its process has left behind. */
    private static int staleAnswers(ClusterNode node) throws InterruptedException {
        String janitor = janitors.ids().iterator().next();
        Elasticsearch primary = cluster.primaryOf(CONTROL).http();
        int stale = 0;
        long behind = 0;
        for (int i = 0; i < LOOKS; i++) {
            long there = heartbeat(node.http(), janitor);
            behind = heartbeat(primary, janitor) - there;
            stale += there >= 0 && behind > 0 ? 1 : 0;
            Thread.sleep(BETWEEN_LOOKS);
        }
        log.info("{} of {} answers of {} were stale, the last by {} heartbeats", stale, LOOKS, node.name(), behind);
        return stale;
    }

    /** As this node has it; -1 where it does not tell. */
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
