package org.treerename.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Small renames beside a long move in the same partition take at most twice as long as without it, by the median from the
 * log's time of the request to the end. Both are measured in one run; the machine may be busy, so the best of three counts.
 */
final class LongMoveIT {

    private static final Logger log = LoggerFactory.getLogger(LongMoveIT.class);

    /** How many small ones, and how many of them at once. */
    private static final int SMALL = Integer.getInteger("renames", 400) / 10;

    private static final int AT_ONCE = 4;
    private static final int LONG = SMALL * 300;
    private static final int TRIES = 3;
    private static final Duration LONG_PATIENCE = Duration.ofMinutes(15);

    private int round;

    @Test
    void smallRenamesBesideALongMoveInTheirPartitionTakeAtMostTwiceAsLong() {
        Tree tree = Tree.create().directories("/long", "/small");
        for (int i = 0; i < LONG; i++) {
            tree.files("/long/file-" + i);
        }
        for (int i = 0; i < SMALL; i++) {
            tree.files("/small/file-" + i + "-0");
        }
        tree.index();
        Log.open().close();
        Group group = Group.atTheEndOfTheLog();
        List<Double> ratios = new ArrayList<>();
        try (Log topics = Log.open();
                Workers workers = Workers.start(1, group.option(), "--lease=20s", "--page-size=50")) {
            String from = "/long-warm";
            ObjectNode warmUp = Requests.rename(tree.name(), "/long", from);
            topics.send(0, warmUp.toString());
            awaitEnd(topics, warmUp);
            for (int i = 0; i < TRIES && ratios.stream().noneMatch(ratio -> ratio <= 2); i++) {
                median(topics, tree);
                Duration alone = median(topics, tree);
                String to = "/long-" + i;
                ObjectNode move = Requests.rename(tree.name(), from, to);
                topics.send(0, move.toString());
                Awaitility.await("it moves")
                        .atMost(Log.PATIENCE)
                        .until(() -> Es.entry(Requests.id(move))
                                .filter(entry -> entry.path("state").asText().equals("moving"))
                                .isPresent());
                Duration beside = median(topics, tree);
                boolean wasBeside = topics.outcomes(Requests.id(move)).isEmpty();
                log.info(
                        "{} small ones: {} ms alone, {} ms beside a long move of {}{}",
                        SMALL,
                        alone.toMillis(),
                        beside.toMillis(),
                        LONG,
                        wasBeside ? "" : ", which ended before them and tells nothing");
                if (wasBeside) {
                    ratios.add((double) beside.toNanos() / alone.toNanos());
                }
                if (ratios.stream().noneMatch(ratio -> ratio <= 2)) {
                    awaitEnd(topics, move);
                }
                from = to;
            }
            assertThat(workers.processes().getFirst().isAlive()).isTrue();
        }
        assertThat(ratios).anyMatch(ratio -> ratio <= 2);
    }

    private static void awaitEnd(Log topics, ObjectNode move) {
        Awaitility.await("the end of a long move")
                .atMost(LONG_PATIENCE)
                .until(() -> !topics.outcomes(Requests.id(move)).isEmpty());
    }

    /** Of one more round of small renames. */
    private Duration median(Log topics, Tree tree) {
        List<Duration> took = new ArrayList<>();
        Deque<ObjectNode> waiting = new ArrayDeque<>();
        for (int i = 0; i < SMALL; i++) {
            String name = "/small/file-" + i + "-";
            ObjectNode request = Requests.rename(tree.name(), name + round, name + (round + 1));
            topics.send(0, request.toString());
            waiting.add(request);
            if (waiting.size() == AT_ONCE) {
                took.add(took(topics, waiting.remove()));
            }
        }
        waiting.forEach(request -> took.add(took(topics, request)));
        round++;
        Collections.sort(took);
        return took.get(took.size() / 2);
    }

    private static Duration took(Log topics, ObjectNode request) {
        JsonNode outcome = topics.outcome(Requests.id(request));
        assertThat(outcome.path("status").asText()).isEqualTo("completed");
        return Duration.between(
                Instant.parse(outcome.path("requested_at").asText()),
                Instant.parse(outcome.path("finished_at").asText()));
    }
}
