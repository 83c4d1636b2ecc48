package org.treerename.benchmark;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.treerename.benchmark.Rounds.Measure;
import org.treerename.benchmark.Rounds.Side;

/**
 * Measures the hand-over of a lock on an idle system. While a directory moves, a request to move the directory back
 * arrives in another partition.
 *
 * @param samples the number of hand-overs in a round; the figure of a round is the median of these hand-overs
 */
record IdleHandOver(Setting setting, RawClient client, String namespace, int samples) {

    private static final String HANDED_OVER = "from the end of a rename to the commit of the waiting rename, median";
    private static final String ALONE = "from the request to the commit of a rename that does not wait, median";
    private static final String DIFFERENCE = "the hand-over itself, the difference of the other two figures";
    private static final String ABOVE = "/hand-over";
    private static final String HERE = ABOVE + "/here";
    private static final String THERE = ABOVE + "/there";
    private static final int DOCUMENTS = 5_000;
    private static final int TRIES = 20;

    /**
     * The time between the first request and the second request. After this time, the first rename is usually decided,
     * but not finished.
     */
    private static final Duration AFTER_COMMIT = Duration.ofMillis(60);

    /** Creates the directory that this benchmark renames, with its documents. */
    static void plant(Tree tree) {
        tree.directories(ABOVE).fill(HERE, DOCUMENTS);
    }

    Comparison compare() throws Exception {
        Side side = new Side(
                List.of(new Measure(DIFFERENCE, "ms"), new Measure(HANDED_OVER, "ms"), new Measure(ALONE, "ms")),
                () -> {
                    List<Double> waited = new ArrayList<>();
                    List<Double> alone = new ArrayList<>();
                    for (int i = 0; i < setting.size(samples, 3, 2); i++) {
                        int partition = i % Stage.PARTITIONS;
                        waited.add(waited(partition));
                        alone.add(alone(HERE, THERE, partition));
                        alone.add(alone(THERE, HERE, partition));
                    }
                    double handedOver = Spread.of(waited).median();
                    double single = Spread.of(alone).median();
                    return List.of(Math.max(0, handedOver - single), handedOver, single);
                });
        return new Comparison(
                "Hand-over of a lock on the idle system",
                "ms",
                Better.LOWER,
                setting.rounds().play(List.of(side)),
                Goals.handOver(DIFFERENCE),
                List.of("A directory of " + DOCUMENTS
                        + " documents moves. Meanwhile, a request in another partition arrives, usually at another"
                        + " worker. This request moves the directory back, and waits for the lock. A waiting rename"
                        + " and a rename that does not wait both check the tree after a refresh, before their"
                        + " commits. So the difference is the time of the release and of the hand-over. The times"
                        + " come from the outcomes."));
    }

    /**
     * Returns the time from the end of a rename to the commit of a second rename, which waited for the first rename.
     * The time is in milliseconds. The second rename does not always have to wait. So the method tries again until the
     * second rename waits.
     */
    private double waited(int partition) throws Exception {
        int another = (partition + Stage.PARTITIONS / 2) % Stage.PARTITIONS;
        for (int i = 0; i < TRIES; i++) {
            CompletableFuture<RawOutcome> first = client.send(namespace, HERE, THERE, partition);
            setting.time().pause(AFTER_COMMIT);
            RawOutcome second = client.ask(namespace, THERE, HERE, another);
            RawOutcome ended = requireCompleted(first.get());
            if (!second.isCompleted()) {
                alone(THERE, HERE, partition); // the second request was checked before the first request had its locks
            } else if (second.requestedAt().isBefore(ended.finishedAt())) {
                return millis(ended.finishedAt(), Objects.requireNonNull(second.committedAt()));
            }
        }
        throw new IllegalStateException("expected a request that waits for a rename of " + DOCUMENTS
                + " documents, found none in " + TRIES + " tries");
    }

    /** Returns the time from the request to the commit of a rename that does not wait, in milliseconds. */
    private double alone(String source, String destination, int partition) throws Exception {
        RawOutcome outcome = requireCompleted(client.ask(namespace, source, destination, partition));
        return millis(outcome.requestedAt(), Objects.requireNonNull(outcome.committedAt()));
    }

    private static RawOutcome requireCompleted(RawOutcome outcome) {
        if (!outcome.isCompleted()) {
            throw new IllegalStateException("expected a completed rename, found " + outcome);
        }
        return outcome;
    }

    private static double millis(Instant from, Instant to) {
        return Duration.between(from, to).toMillis();
    }
}
