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
import org.treerename.path.Namespace;
import org.treerename.rename.Delivery;
import org.treerename.rename.Renamer.Answer;
import org.treerename.runtime.StopSignal;
import org.treerename.runtime.Time;
import org.treerename.store.RefusedException;
import org.treerename.wire.Topics;
import org.treerename.worker.ConsumerLimits.Load;
import org.treerename.worker.DependencyQueue.Ready;
import org.treerename.worker.PartitionQueue.Queued;

/**
 * Takes requests out of the log and has each carried to its end, many at once: those that conflict in the order of their
 * partition, all others side by side, and one that names others when those have ended ({@link DependencyQueue}). The thread that calls {@link #run} polls all the while, so that a long rename does not
 * cost the worker its partitions, and keeps the books alone; a {@link Runner} runs each request on another thread, whose end wakes the
 * poll.
 *
 * <ol>
 *   <li>carry the request to its outcome, or keep the record as a dead letter: if we die here, it is delivered again, and
 *       the journal knows it;
 *   <li>commit the offset of the lowest request that has not ended ({@link OffsetCommits}): if we die before it, those above it are
 *       delivered again and answered from the journal.
 * </ol>
 *
 * A partition that is lost is given up: what is decided goes on, for the journal says whose it is; the partition's next owner
 * is delivered the request again and waits for its end. No offset of a lost partition is committed.
 */
final class RequestLoop {

    private static final Logger log = LoggerFactory.getLogger(RequestLoop.class);
    private static final Duration IDLE_POLL = Duration.ofSeconds(1);

    /** How soon the loop notices a stop request, or that requests may begin again: of these nothing wakes it. */
    private static final Duration BUSY_POLL = Duration.ofMillis(100);

    /** What a thread reports of a request: its result, or its failure. */
    private record End(
            Ready of,
            long begunNanos,
            @Nullable RecordResult result,
            @Nullable Throwable failure) {}

    private final Consumer<byte[], byte[]> consumer;
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

    /** The same, whose turn it is first. */
    private final Deque<Assignment> turns = new ArrayDeque<>();

    private final Queue<End> ends = new ConcurrentLinkedQueue<>();
    private int running;

    /** Starts the run of one request, and returns without waiting for its end. */
    interface Runner {
        void start(ReceivedRecord taken, Runnable request);
    }

    /**
     * The parts that carry a request.
     *
     * @param renamers returns a renamer that obeys the given signal
     */
    record Carrying(Function<StopSignal, Function<Delivery, Answer>> renamers, RecordHandler handler, Runner runner) {}

    /**
     * The limits of the loop.
     *
     * @param stop ends the loop
     * @param gone whether no request may begin now; the loop then pauses its partitions
     */
    record Limits(StopSignal stop, ConsumerLimits window, BooleanSupplier gone) {}

    /**
     * The observers of the loop.
     *
     * @param beforeOffset runs just before each commit of offsets
     * @param rounds receives the reading of each round, on the thread that runs the loop
     */
    record Observers(Runnable beforeOffset, java.util.function.Consumer<LoopReading> rounds) {}

    /**
     * The parts of a loop besides its consumer.
     *
     * @param known returns the definition of a namespace without a request to a server
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
     * @param poller of this consumer
     * @param dependencies another thread calls its {@link DependencyQueue#look}
     */
    RequestLoop(Consumer<byte[], byte[]> consumer, Poller poller, DependencyQueue dependencies, Tools tools) {
        this.consumer = consumer;
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
     * Runs until the process is asked to stop; what has begun by then is ended or given back.
     *
     * @throws RefusedException if Kafka does not let it in, or to the topic, or into the group
     */
    void run() {
        try {
            subscribe();
            boolean goesOn = true;
            while (goesOn) {
                goesOn = round();
            }
        } catch (AuthenticationException | AuthorizationException e) {
            throw new RefusedException("Kafka does not let this worker take requests: " + e.getMessage());
        } finally {
            consumer.close();
        }
    }

    /** Joins the consumer group. {@link #run} calls it before the first {@link #round}. */
    void subscribe() {
        consumer.subscribe(Set.of(Topics.REQUESTS), new Rebalance());
    }

    /**
     * Runs one round: takes and begins requests or, after a stop request, awaits those that run.
     *
     * @return whether another round follows
     */
    boolean round() {
        StopSignal stop = limits.stop();
        if (!stop.isRequested()) {
            take();
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
            log.warn("fenced with {} requests under way: what became of them is told by the journal", running);
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

    private void take() {
        assignments.values().forEach(assignment -> assignment.queue().learn(known));
        for (ConsumerRecord<byte[], byte[]> message : poller.poll(patience())) {
            Assignment assignment = assignments.get(new TopicPartition(message.topic(), message.partition()));
            if (assignment != null) {
                ReceivedRecord taken = ReceivedRecord.of(message);
                assignment.take(taken, taken.footprint(known));
            }
        }
    }

    private Duration patience() {
        boolean isBusy = running > 0 || dependencies.size() > 0;
        return commits.patience(assignments.values(), isBusy ? BUSY_POLL : IDLE_POLL);
    }

    /** Those that were held back, then one of each partition after the other, as long as there are hands. */
    private void begin() {
        while (!limits.gone().getAsBoolean() && running < limits.window().concurrency()) {
            Optional<Ready> next = dependencies.next();
            if (next.isEmpty()) {
                break;
            }
            begin(next.get());
        }
        int without = 0;
        while (!limits.gone().getAsBoolean() && running < limits.window().concurrency() && without < turns.size()) {
            Assignment assignment = turns.removeFirst();
            turns.addLast(assignment);
            Optional<Queued> next = assignment.queue().begin();
            if (next.isPresent()) {
                beginOrHoldBack(assignment, next.get());
                without = 0;
            } else {
                without++;
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
        ReceivedRecord taken = ready.queued().taken();
        assignment.queue().carry(ready.queued());
        carrying.runner().start(taken, () -> {
            try {
                RecordResult result = carrying.handler().carry(taken, ready.unmet(), assignment.renamer());
                ends.add(new End(ready, begunNanos, result, null));
            } catch (RuntimeException | Error e) {
                ends.add(new End(ready, begunNanos, null, e));
            } finally {
                poller.wake();
            }
        });
    }

    /** What fails in spite of all tries is no request's fault, and ends the worker: the journal knows what it had begun. */
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
                throw new IllegalStateException(queued.taken() + " could not be carried", end.failure());
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
        boolean held = limits.gone().getAsBoolean();
        ConsumerLimits window = limits.window();
        Load all = Load.of(turns.stream().map(Assignment::queue).toList());
        for (Assignment assignment : turns) {
            if (!assignment.isPaused() && (held || window.isFull(assignment.queue(), all))) {
                consumer.pause(List.of(assignment.partition()));
                assignment.paused(true);
            } else if (assignment.isPaused() && !held && window.isHalfEmpty(assignment.queue(), all)) {
                consumer.resume(List.of(assignment.partition()));
                assignment.paused(false);
            }
        }
    }

    /** Called within poll and close, by the thread that polls. */
    private final class Rebalance implements ConsumerRebalanceListener {

        @Override
        public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
            log.info("took over {}", partitions);
            for (TopicPartition partition : partitions) {
                StopSignal own = limits.stop().part();
                Assignment assignment =
                        new Assignment(partition, own, carrying.renamers().apply(own));
                assignments.put(partition, assignment);
                turns.addLast(assignment);
            }
        }

        @Override
        public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
            commits.commitNow(giveUp(partitions));
            log.info("gave up {}", partitions);
        }

        @Override
        public void onPartitionsLost(Collection<TopicPartition> partitions) {
            giveUp(partitions);
            log.warn("lost {}", partitions);
        }

        private List<Assignment> giveUp(Collection<TopicPartition> partitions) {
            List<Assignment> given = new ArrayList<>();
            for (TopicPartition partition : partitions) {
                Assignment assignment = assignments.remove(partition);
                if (assignment != null) {
                    assignment.giveUp();
                    turns.remove(assignment);
                    given.add(assignment);
                }
            }
            return given;
        }
    }
}
