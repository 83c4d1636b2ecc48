package org.treerename.benchmark;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.treerename.installation.Installation;
import org.treerename.producer.ProducerSettings;
import org.treerename.producer.RenameProducer;
import org.treerename.request.OnExisting;
import org.treerename.request.Outcome;
import org.treerename.request.ParsedRequest.RenameRequest;
import org.treerename.request.Status;

/**
 * Renames a directory back and forth. In each round, kills one worker in the middle of a rename. Only one thread calls
 * this class.
 */
final class Dying implements AutoCloseable {

    /**
     * The largest number of tries to kill a worker in the middle of a move. A try fails if the worker finishes the move
     * before the kill.
     */
    private static final int TRIES = 10;

    /** A worker is killed when at least one third of the documents is at the destination. */
    private static final int SHARE = 3;

    private static final int TICKS_IN_LEASE = 6;
    private static final double OF_REST = 1.5;
    private static final Duration POLL = Duration.ofMillis(1);
    private static final Duration PATIENCE = Duration.ofMinutes(10);
    private static final String MOVING = "moving";

    private final Setting setting;
    private final Tree tree;
    private final int documents;
    private final Duration lease;
    private final String[] options;
    private final RenameProducer producer;
    private String at = "/tree/here";
    private String other = "/tree/there";
    private @Nullable Service worker;
    private double undisturbedSeconds;
    private double boundSeconds;

    private Dying(Setting setting, Tree tree, int documents, Duration lease, String... options) {
        this.setting = setting;
        this.tree = tree;
        this.documents = documents;
        this.lease = lease;
        this.options = options;
        this.producer =
                RenameProducer.connect(ProducerSettings.of(setting.stage().kafkaBootstrapServers()));
    }

    /**
     * Creates the directory.
     *
     * @param options the options of the workers
     */
    static Dying create(Setting setting, int documents, Duration lease, String... options) {
        Tree tree = Tree.create(setting.stage(), "dying-" + documents, 1);
        Dying dying = new Dying(setting, tree, documents, lease, options);
        tree.directories("/tree").fill(dying.at, documents);
        tree.settle();
        return dying;
    }

    /**
     * Starts a new worker, which renames the directory twice. Returns the time from the commit of the second rename to
     * the end of this rename, in seconds.
     */
    double undisturbed() throws Exception {
        worker = setting.stage().worker(options);
        await(send()); // not measured: this rename may wait until Kafka assigns the partitions of the dead worker
        undisturbedSeconds = seconds(await(send()));
        return undisturbedSeconds;
    }

    /** Kills the worker during a move. Returns the time from the kill to the outcome of the rename, in seconds. */
    double killed() throws Exception {
        for (int i = 0; i < TRIES; i++) {
            Move move = send();
            if (isWellUnderWay(move.requestId())) {
                Kill kill = kill(move);
                if (kill.isInTheMiddle()) {
                    boundSeconds = bound(lease, undisturbedSeconds * kill.left() / documents);
                    return kill.seconds();
                }
                worker = setting.stage().worker(options);
            }
            await(move);
        }
        throw new IllegalStateException("expected to kill a worker in the middle of a move of " + documents
                + " documents, but the move ended first in " + TRIES + " tries; use larger numbers in"
                + " --death-documents");
    }

    private Kill kill(Move move) throws Exception {
        Objects.requireNonNull(worker).kill();
        long killedNanos = setting.time().nanos();
        long left = documents - moved();
        Outcome outcome = await(move);
        return new Kill(left, outcome.rolledForward(), (setting.time().nanos() - killedNanos) / 1e9);
    }

    /**
     * The kill of a worker, and its consequences.
     *
     * @param left the number of documents that a search did not find at the destination just after the kill
     * @param rolledForward whether the janitor finished the rename
     * @param seconds the time from the kill to the outcome
     */
    record Kill(long left, boolean rolledForward, double seconds) {

        /**
         * Returns whether the worker died in the middle of the move. In this case, the janitor finishes the rename, and
         * has documents left to move.
         */
        boolean isInTheMiddle() {
            return left > 0 && rolledForward;
        }
    }

    /** Returns the largest allowed time from the last kill to the outcome of the rename, in seconds. */
    double bound() {
        return boundSeconds;
    }

    /** Blocks until one third of the documents is at the destination. Returns false if the rename ends earlier. */
    private boolean isWellUnderWay(String requestId) {
        long begun = setting.time().nanos();
        while (setting.time().nanos() - begun < PATIENCE.toNanos()) {
            Optional<JsonNode> entry = entry(requestId);
            String state = entry.map(found -> found.path("state").asText()).orElse("");
            if (state.equals(MOVING) && moved() * SHARE >= documents) {
                return true;
            }
            if (!state.isEmpty() && !state.equals(MOVING) && !state.equals("prepared")) {
                return false;
            }
            setting.time().pause(POLL);
        }
        throw new IllegalStateException(
                "request " + requestId + ": expected a third of the documents at the destination within " + PATIENCE);
    }

    /**
     * Returns the largest allowed time from the death of a worker to the outcome of the worker's rename, in seconds.
     *
     * @param rest the time that the rest of the move takes without a kill, in seconds
     */
    static double bound(Duration lease, double rest) {
        return lease.toNanos() / 1e9 * (1 + 2.0 / TICKS_IN_LEASE) + OF_REST * rest;
    }

    private Optional<JsonNode> entry(String requestId) {
        JsonNode found = setting.stage()
                .es()
                .post(Installation.DEFAULT.controlIndex() + "/_mget", "{\"ids\":[\"rename:" + requestId + "\"]}")
                .json()
                .path("docs")
                .path(0);
        return found.path("found").asBoolean() ? Optional.of(found.path("_source")) : Optional.empty();
    }

    /**
     * Returns the number of documents that a search finds at the destination. This method does not use the number in
     * the journal entry, because a worker updates this number only about once a second.
     */
    private long moved() {
        tree.refresh();
        return tree.count(at);
    }

    /** A rename whose request was sent. */
    private record Move(String requestId, CompletableFuture<Outcome> outcome) {}

    /** Sends a request to rename the directory to its other path, and exchanges {@code at} and {@code other}. */
    private Move send() {
        String requestId = producer.newRequestId();
        Move move = new Move(
                requestId,
                producer.send(new RenameRequest(requestId, tree.name(), at, other, OnExisting.FAIL, "benchmark")));
        String left = at;
        at = other;
        other = left;
        return move;
    }

    private static Outcome await(Move move) throws Exception {
        Outcome outcome = move.outcome().get(PATIENCE.toMinutes(), TimeUnit.MINUTES);
        if (outcome.status() != Status.COMPLETED) {
            throw new IllegalStateException("expected a completed rename, found " + outcome);
        }
        return outcome;
    }

    private static double seconds(Outcome outcome) {
        return Duration.between(Objects.requireNonNull(outcome.committedAt()), outcome.finishedAt())
                        .toNanos()
                / 1e9;
    }

    @Override
    public void close() {
        producer.close();
        if (worker != null) {
            worker.close();
        }
    }
}
