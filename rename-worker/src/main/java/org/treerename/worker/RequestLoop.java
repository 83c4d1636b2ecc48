package org.treerename.worker;

import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Predicate;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.KafkaException;
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
import org.treerename.worker.DependencyQueue.Ready;

/**
 * Receives requests from Kafka and begins to process them, many at the same time. Requests that conflict are processed
 * in the order of their partition. All other requests are processed in parallel. A request that names predecessors
 * begins when these predecessors have ended ({@link DependencyQueue}).
 *
 * <p>The thread that calls {@link #run} polls continuously, so that the worker keeps its partitions during a long
 * rename. Only this thread updates the queues and offsets. A {@link Runner} runs each request on another thread. When a
 * request ends, its thread wakes the poll ({@link RequestsInProgress}). Each request is processed in two steps:
 *
 * <ol>
 *   <li>The {@link RecordHandler} processes the request until the request has an outcome, or writes the record to the
 *       dead letters. If the process dies during this step, Kafka delivers the record again.
 *   <li>The loop commits the offset of the first request that has not ended, and which later requests have ended
 *       ({@link OffsetCommits}). If the worker dies before the commit, Kafka delivers the ended requests again. A
 *       worker answers these requests from the journal.
 * </ol>
 *
 * <p>When the worker loses a partition, the decided renames of this partition continue, because the journal records
 * their owner. The next owner of the partition receives each request again and waits for its end. The worker commits
 * offsets of a partition that Kafka revokes, but no offset of a partition that Kafka reports as lost.
 */
final class RequestLoop {

    private static final Logger log = LoggerFactory.getLogger(RequestLoop.class);
    private static final Duration IDLE_POLL = Duration.ofSeconds(1);

    /** No event wakes the loop at a stop request or at the end of a pause. It detects both within this time. */
    private static final Duration BUSY_POLL = Duration.ofMillis(100);

    /** The time from a stop request until the worker leaves its consumer group although requests are in progress. */
    static final Duration LEAVE_AFTER = Duration.ofSeconds(1);

    private final Consumer<byte[], byte[]> consumer;
    private final String topic;
    private final Poller poller;
    private final DependencyQueue dependencies;
    private final Function<String, Optional<Namespace>> known;
    private final Limits limits;
    private final java.util.function.Consumer<LoopReading> rounds;
    private final OffsetCommits commits;
    private final Summary summary;
    private final Assignments assignments;
    private final RequestsInProgress inProgress;
    private final Time time;
    private @Nullable Long stoppedNanos;
    private boolean hasLeft;

    /** Starts one request and returns without waiting for its end. */
    interface Runner {
        void start(ReceivedRecord received, Runnable request);
    }

    /**
     * The parts that process a request.
     * @param renamers the function that returns a renamer for a stop signal
     */
    record Processing(
            Function<StopSignal, Function<Delivery, Answer>> renamers, RecordHandler handler, Runner runner) {}

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
     * The parts of a loop that are independent of its consumer.
     *
     * @param known the function that returns the definition of a namespace without a request to a server
     */
    record Tools(
            Function<String, Optional<Namespace>> known,
            Processing processing,
            Limits limits,
            Observers observers,
            Time time) {}

    /**
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
        this.limits = tools.limits();
        this.rounds = tools.observers().rounds();
        this.time = tools.time();
        this.commits = new OffsetCommits(
                consumer, poller, limits.stop(), tools.observers().beforeOffset(), tools.time());
        this.summary = new Summary(tools.time());
        this.assignments = new Assignments(
                consumer, commits, limits.stop(), tools.processing().renamers());
        this.inProgress = new RequestsInProgress(
                tools.processing().handler(), tools.processing().runner(), poller::wake, summary, tools.time());
    }

    /**
     * Runs until the process receives a stop request. After the stop request, each request in progress ends, or its
     * locks are released and Kafka delivers the request again.
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

    /** Subscribes to the topic of the requests. {@link #run} calls this method before the first {@link #round}. */
    void subscribe() {
        consumer.subscribe(Set.of(topic), assignments);
    }

    /**
     * Runs one round. A round receives and begins requests. After a stop request, a round waits for the requests in
     * progress instead. The worker does not keep its partitions during this wait.
     *
     * @return whether another round follows
     */
    boolean round() {
        StopSignal stop = limits.stop();
        if (!stop.isRequested()) {
            receive();
            inProgress.collect(limits.stop());
            begin();
            commits.sendIfDue(assignments.all());
            assignments.pauseOrResume(limits.window(), limits.gone().getAsBoolean());
            report();
            return true;
        }
        if (inProgress.size() > 0 && !stop.isAbandoned()) {
            awaitSomeEnd();
            inProgress.collect(limits.stop());
            report();
            return true;
        }
        if (stop.isAbandoned()) {
            log.warn(
                    "this process is fenced; requests in progress: {}; other processes continue these requests",
                    inProgress.size());
        }
        commits.commitNow(assignments.all());
        summary.line(reading()).ifPresent(log::info);
        return false;
    }

    /**
     * Most requests end within {@link #LEAVE_AFTER}, and their offsets are committed. Then the worker leaves its group,
     * so no request of its partitions waits for a long move. The next owner of a partition receives the requests in
     * progress again, and waits for their ends.
     */
    private void awaitSomeEnd() {
        if (stoppedNanos == null) {
            stoppedNanos = time.nanos();
            log.info("stopping; requests in progress: {}", inProgress.size());
        }
        if (!hasLeft && time.nanos() - stoppedNanos < LEAVE_AFTER.toNanos()) {
            consumer.pause(consumer.assignment());
            var unused = poller.poll(BUSY_POLL);
        } else {
            leave();
            time.pause(BUSY_POLL);
        }
    }

    private void leave() {
        if (hasLeft) {
            return;
        }
        hasLeft = true;
        commits.commitNow(assignments.all());
        try {
            consumer.unsubscribe();
            log.info("left the consumer group; this process finishes the requests in progress: {}", inProgress.size());
        } catch (KafkaException e) {
            log.warn("cannot leave the consumer group: {}; its session timeout ends the membership", e.toString());
        }
    }

    private void report() {
        LoopReading reading = reading();
        rounds.accept(reading);
        summary.lineIfDue(reading).ifPresent(log::info);
    }

    private void receive() {
        assignments.all().forEach(assignment -> assignment.queue().learn(known));
        for (ConsumerRecord<byte[], byte[]> message : poller.poll(pollTimeout())) {
            assignments
                    .of(new TopicPartition(message.topic(), message.partition()))
                    .ifPresent(assignment -> assignment.take(message, known));
        }
    }

    private Duration pollTimeout() {
        boolean isBusy = inProgress.size() > 0 || dependencies.size() > 0;
        return commits.patience(assignments.all(), isBusy ? BUSY_POLL : IDLE_POLL);
    }

    /** First begins the requests that waited for predecessors, then the requests of the partitions in turn. */
    private void begin() {
        for (Optional<Ready> next = next(dependencies::next); next.isPresent(); next = next(dependencies::next)) {
            inProgress.begin(next.get());
        }
        for (Optional<Ready> next = next(assignments::next); next.isPresent(); next = next(assignments::next)) {
            beginOrHoldBack(next.get());
        }
    }

    private Optional<Ready> next(Function<Predicate<String>, Optional<Ready>> source) {
        return limits.gone().getAsBoolean()
                ? Optional.empty()
                : source.apply(namespace -> inProgress.mayBegin(namespace, limits.window()));
    }

    private void beginOrHoldBack(Ready ready) {
        if (ready.queued().taken().after().isEmpty()) {
            inProgress.begin(ready);
        } else {
            dependencies.add(ready.assignment(), ready.queued());
        }
    }

    private LoopReading reading() {
        return new LoopReading(
                consumer.groupMetadata().generationId() > 0,
                limits.gone().getAsBoolean(),
                inProgress.size(),
                assignments.queues());
    }
}
