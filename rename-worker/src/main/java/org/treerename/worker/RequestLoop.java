package org.treerename.worker;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.treerename.journal.Delivery;
import org.treerename.namespace.Namespace;
import org.treerename.rename.Renamer.Answer;
import org.treerename.runtime.StopSignal;
import org.treerename.runtime.Time;
import org.treerename.store.RefusedException;
import org.treerename.worker.ConsumerLimits.Load;
import org.treerename.worker.DependencyQueue.Ready;
import org.treerename.worker.PartitionQueue.Queued;

/**
 * Receives requests from Kafka and starts their processing, many at once. Requests that conflict are processed in the
 * order of their partition. All other requests are processed in parallel. If a request names other requests, it begins
 * when these have ended ({@link DependencyQueue}).
 *
 * <p>The thread that calls {@link #run} polls continuously, so that the worker keeps its partitions during a long
 * rename. Only this thread updates the queues and offsets. A {@link Runner} runs each request on another thread. The
 * end of a request wakes the poll.
 *
 * <ol>
 *   <li>The handler processes the request until it has an outcome, or writes the record to the dead letters. If we die
 *       here, Kafka delivers the record again, and the journal contains the request.
 *   <li>The loop commits the offset of the first request that has not ended ({@link OffsetCommits}). If we die before
 *       that, Kafka delivers the requests above this offset again, and the worker answers them from the journal.
 * </ol>
 *
 * <p>When the worker loses a partition, its decided renames continue, because the journal records their owner. The
 * partition's next owner receives each request again and waits for its end. The worker commits no offset of a lost
 * partition.
 */
final class RequestLoop {

    private static final Logger log = LoggerFactory.getLogger(RequestLoop.class);
    private static final Duration IDLE_POLL = Duration.ofSeconds(1);

    /**
     * The time in which the loop notices a stop request or the end of a pause. No event wakes the loop in these cases.
     */
    private static final Duration BUSY_POLL = Duration.ofMillis(100);

    /** The report of the thread that ran a request: a result or a failure. */
    private record End(
            Ready of,
            long begunNanos,
            @Nullable RecordResult result,
            @Nullable Throwable failure) {}

    private final Consumer<byte[], byte[]> consumer;
    private final String topic;
    private final Poller poller;
    private final DependencyQueue dependencies;
    private final Function<String, Optional<Namespace>> known;
    private final Carrying carrying;
    private final Limits limits;
    private final Observers observers;
    private final Time time;
    private final OffsetCommits commits;
    private final Summary summary;
    private final Map<TopicPartition, Assignment> assignments = new HashMap<>();

    /** The assigned partitions. The first partition in this queue is the next that may begin a request. */
    private final Deque<Assignment> turns = new ArrayDeque<>();

    private final Queue<End> ends = new ConcurrentLinkedQueue<>();
    private int running;

    /** Starts one request and returns without waiting for its end. */
    interface Runner {
        void start(ReceivedRecord received, Runnable request);
    }

    /**
     * The parts that process a request.
     * @param renamers the function that returns a renamer for a stop signal
     */
    record Carrying(Function<StopSignal, Function<Delivery, Answer>> renamers, RecordHandler handler, Runner runner) {}

    /**
     * The limits of the loop.
     *
     * @param stop the signal that ends the loop
     * @param gone whether no request may begin now; the loop then pauses its partitions
     */
    record Limits(StopSignal stop, ConsumerLimits window, BooleanSupplier gone) {}

    /**
     * The observers of the loop.
     * @param beforeOffset the callback before each commit of offsets
     * @param rounds the callback that receives the reading of each round; the thread of the loop calls it
     */
    record Observers(Runnable beforeOffset, java.util.function.Consumer<LoopReading> rounds) {}

    /**
     * All parts of a loop except its consumer.
     *
     * @param known the function that returns the definition of a namespace without a request to a server
     */
    record Tools(
            Function<String, Optional<Namespace>> known,
            Carrying carrying,
            Limits limits,
            Observers observers,
            Time time) {}

    /**
     * Creates a loop.
     *
     * @param topic the topic of the requests
     * @param poller the poller of this consumer
     * @param dependencies the queue whose {@link DependencyQueue#poll} another thread calls
     */
    RequestLoop(
            Consumer<byte[], byte[]> consumer, String topic, Poller poller, DependencyQueue dependencies, Tools tools) {
        this.consumer = consumer;
        this.topic = topic;
        this.poller = poller;
        this.dependencies = dependencies;
        this.known = tools.known();
        this.carrying = tools.carrying();
        this.limits = tools.limits();
        this.observers = tools.observers();
        this.time = tools.time();
        this.commits = new OffsetCommits(consumer, poller, limits.stop(), observers.beforeOffset(), time);
        this.summary = new Summary(time);
    }

    /**
     * Runs until the process receives a stop request. Each request in progress then ends, or its locks are released and Kafka delivers it
     * again.
     *
     * @throws RefusedException if Kafka denies the connection, the topic or the consumer group
     */
    void run() {
        try {
            subscribe();
            boolean isRunning = true;
            while (isRunning) {
                isRunning = round();
            }
        } catch (AuthenticationException | AuthorizationException e) {
            throw new RefusedException("Kafka does not allow this worker to read requests: " + e.getMessage());
        } finally {
            consumer.close();
        }
    }

    /** Joins the consumer group. {@link #run} calls it before the first {@link #round}. */
    void subscribe() {
        consumer.subscribe(Set.of(topic), new Rebalance());
    }

    /**
     * Runs one round: receives and begins requests or, after a stop request, waits for the requests in progress.
     *
     * @return whether another round follows
     */
    boolean round() {
        StopSignal stop = limits.stop();
        if (!stop.isRequested()) {
            receive();
            collect();
            begin();
            commits.sendIfDue(assignments.values());
            pauseOrResume();
            report();
            return true;
        }
        if (running > 0 && !stop.isAbandoned()) {
            consumer.pause(consumer.assignment());
            var unused = poller.poll(BUSY_POLL);
            collect();
            report();
            return true;
        }
        if (stop.isAbandoned()) {
            log.warn("this process is fenced with {} requests in progress; the journal contains their states", running);
        }
        commits.commitNow(assignments.values());
        summary.line(reading()).ifPresent(log::info);
        return false;
    }

    private void report() {
        LoopReading reading = reading();
        observers.rounds().accept(reading);
        summary.lineIfDue(reading).ifPresent(log::info);
    }

    private void receive() {
        assignments.values().forEach(assignment -> assignment.queue().learn(known));
        for (ConsumerRecord<byte[], byte[]> message : poller.poll(pollTimeout())) {
            Assignment assignment = assignments.get(new TopicPartition(message.topic(), message.partition()));
            if (assignment != null) {
                ReceivedRecord received = ReceivedRecord.of(message);
                assignment.take(received, received.footprint(known));
            }
        }
    }

    private Duration pollTimeout() {
        boolean isBusy = running > 0 || dependencies.size() > 0;
        return commits.patience(assignments.values(), isBusy ? BUSY_POLL : IDLE_POLL);
    }

    /**
     * Begins requests up to the limit of concurrency. The requests that no longer wait for others are first. Then the
     * partitions take turns.
     */
    private void begin() {
        while (!limits.gone().getAsBoolean() && running < limits.window().concurrency()) {
            Optional<Ready> next = dependencies.next();
            if (next.isEmpty()) {
                break;
            }
            begin(next.get());
        }
        int emptyTurns = 0;
        while (!limits.gone().getAsBoolean() && running < limits.window().concurrency() && emptyTurns < turns.size()) {
            Assignment assignment = turns.removeFirst();
            turns.addLast(assignment);
            Optional<Queued> next = assignment.queue().begin();
            if (next.isPresent()) {
                beginOrHoldBack(assignment, next.get());
                emptyTurns = 0;
            } else {
                emptyTurns++;
            }
        }
    }

    private void beginOrHoldBack(Assignment assignment, Queued queued) {
        if (queued.taken().after().isEmpty()) {
            begin(new Ready(assignment, queued, null));
        } else {
            dependencies.add(assignment, queued);
        }
    }

    private void begin(Ready ready) {
        running++;
        long begunNanos = time.nanos();
        Assignment assignment = ready.assignment();
        ReceivedRecord received = ready.queued().taken();
        assignment.queue().carry(ready.queued());
        carrying.runner().start(received, () -> {
            try {
                RecordResult result = carrying.handler().carry(received, ready.unmet(), assignment.renamer());
                ends.add(new End(ready, begunNanos, result, null));
            } catch (RuntimeException | Error e) {
                ends.add(new End(ready, begunNanos, null, e));
            } finally {
                poller.wake();
            }
        });
    }

    /**
     * Handles the reports of the threads that ran requests. The request is not the cause of a failure that remains
     * after all retries, so such a failure ends the worker. The journal contains the requests that had begun.
     */
    private void collect() {
        for (End end = ends.poll(); end != null; end = ends.poll()) {
            running--;
            Queued queued = end.of().queued();
            RecordResult result = end.result();
            if (result != null) {
                summary.ended(queued.taken().name(), result, time.nanos() - end.begunNanos());
                if (result.mayCommit()) {
                    end.of().assignment().queue().end(queued);
                }
            } else if (!limits.stop().isAbandoned()) {
                throw new IllegalStateException(
                        "cannot process " + queued.taken() + "; the worker ends", end.failure());
            }
        }
    }

    private LoopReading reading() {
        Map<String, LoopReading.Queue> queues = new HashMap<>();
        assignments.forEach((partition, assignment) -> queues.put(
                String.valueOf(partition.partition()),
                new LoopReading.Queue(
                        assignment.queue().length(), assignment.queue().waiting())));
        return new LoopReading(
                consumer.groupMetadata().generationId() > 0, limits.gone().getAsBoolean(), running, queues);
    }

    private void pauseOrResume() {
        boolean mayNotBegin = limits.gone().getAsBoolean();
        ConsumerLimits window = limits.window();
        Load all = Load.of(turns.stream().map(Assignment::queue).toList());
        for (Assignment assignment : turns) {
            if (!assignment.isPaused() && (mayNotBegin || window.isFull(assignment.queue(), all))) {
                consumer.pause(List.of(assignment.partition()));
                assignment.paused(true);
            } else if (assignment.isPaused() && !mayNotBegin && window.isHalfEmpty(assignment.queue(), all)) {
                consumer.resume(List.of(assignment.partition()));
                assignment.paused(false);
            }
        }
    }

    /** Handles a change of the assigned partitions. The consumer calls it within poll and close, on the thread of the loop. */
    private final class Rebalance implements ConsumerRebalanceListener {

        @Override
        public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
            log.info("assigned partitions {}", partitions);
            for (TopicPartition partition : partitions) {
                StopSignal partitionStop = limits.stop().part();
                Assignment assignment = new Assignment(
                        partition, partitionStop, carrying.renamers().apply(partitionStop));
                assignments.put(partition, assignment);
                turns.addLast(assignment);
            }
        }

        @Override
        public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
            commits.commitNow(giveUp(partitions));
            log.info("revoked partitions {}", partitions);
        }

        @Override
        public void onPartitionsLost(Collection<TopicPartition> partitions) {
            giveUp(partitions);
            log.warn(
                    "lost partitions {}: this worker left its consumer group; it commits no offsets of them, and the next owner receives their open requests again",
                    partitions);
        }

        private List<Assignment> giveUp(Collection<TopicPartition> partitions) {
            List<Assignment> removed = new ArrayList<>();
            for (TopicPartition partition : partitions) {
                Assignment assignment = assignments.remove(partition);
                if (assignment != null) {
                    assignment.giveUp();
                    turns.remove(assignment);
                    removed.add(assignment);
                }
            }
            return removed;
        }
    }
}
