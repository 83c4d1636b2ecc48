package org.treerename.process;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CountDownLatch;
import java.util.function.IntSupplier;
import java.util.function.LongConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.treerename.runtime.Loop;
import org.treerename.runtime.StopSignal;
import org.treerename.runtime.Time;

/**
 * Runs the work of one process. The process document exists before the work starts, and the process sends heartbeats
 * until the work has ended. After the work, the last heartbeat sets the state of the document to stopped. An instance
 * is used once.
 *
 * <ol>
 *   <li>the first step of the heartbeat creates the process document;
 *   <li>the work runs. The work pauses while the lease is in doubt, that is, after half a lease without an acknowledged
 *       heartbeat;
 *   <li>after a stop request, the work must end within its part of the grace period ({@link GracefulShutdown}). After
 *       the last heartbeat, a janitor continues the renames that have not ended. The janitor need not wait for the
 *       lease, because the document has the state stopped.
 * </ol>
 */
public final class Incarnation {

    /** The reason why the process ended. */
    public enum End {
        STOPPED,
        FENCED
    }

    private static final Logger log = LoggerFactory.getLogger(Incarnation.class);

    private final Heartbeat heartbeat;
    private final Lease lease;
    private final Time time;
    private final StopSignal stop;
    private final LongConsumer acknowledged;
    private volatile IntSupplier running = () -> 0;
    private volatile Moment acknowledgedAt;

    /**
     * A time on the monotonic clock and on the wall clock. One clock alone is not enough. The monotonic clock may stop
     * while the machine is suspended, and an operator may set back the wall clock.
     */
    private record Moment(long nanos, Instant at) {

        static Moment of(Time time) {
            return new Moment(time.nanos(), time.now());
        }

        /**
         * Returns whether at least one of the two clocks shows that more than the given length has passed since the
         * earlier moment.
         */
        boolean isMoreThan(Duration length, Moment earlier) {
            return nanos - earlier.nanos > length.toNanos()
                    || Duration.between(earlier.at, at).compareTo(length) > 0;
        }
    }

    /**
     * @param acknowledged receives, for each acknowledged heartbeat, the time on the monotonic clock at which the
     *     heartbeat was sent
     */
    public Incarnation(Heartbeat heartbeat, Lease lease, Time time, StopSignal stop, LongConsumer acknowledged) {
        this.heartbeat = heartbeat;
        this.lease = lease;
        this.time = time;
        this.stop = stop;
        this.acknowledged = acknowledged;
        this.acknowledgedAt = Moment.of(time);
        stop.holdWhile(this::isInDoubt);
    }

    /**
     * Sets the function that returns the number of requests for each heartbeat: the requests that this process has in
     * progress or may start.
     *
     * @param requests returns the number of requests; zero only after the process has received a pause and all its
     *     requests have ended
     */
    public void report(IntSupplier requests) {
        running = requests;
    }

    /**
     * Runs the work until it ends. The work ends when it is complete, after a stop request, or after this process was
     * fenced.
     *
     * @param grace the longest time from a stop signal to the end of the process
     */
    public End live(Runnable work, Duration grace) {
        Loop beating = Loop.start("heartbeat", time, lease.heartbeatEvery(), this::beat);
        GracefulShutdown shutdown = new GracefulShutdown(heartbeat, beating, stop);
        CountDownLatch ended = new CountDownLatch(1);
        Thread stopping = new Thread(() -> shutdown.within(grace, ended), "stopping");
        Runtime.getRuntime().addShutdownHook(stopping);
        log.info("process {} is live", heartbeat.processId());
        try {
            work.run();
        } finally {
            shutdown.endHeartbeat();
            ended.countDown();
            forget(stopping);
        }
        log.info("process {} has {}", heartbeat.processId(), stop.isAbandoned() ? "been fenced" : "stopped");
        return stop.isAbandoned() ? End.FENCED : End.STOPPED;
    }

    /**
     * Writes one heartbeat. {@link #live} calls this method. A caller that does not use {@code live} calls this method
     * every {@link Lease#heartbeatEvery()}.
     */
    public void beat() {
        Moment sent = Moment.of(time);
        switch (heartbeat.beat(running.getAsInt())) {
            case ACKNOWLEDGED -> {
                acknowledgedAt = sent;
                acknowledged.accept(sent.nanos());
            }
            case UNANSWERED -> {
                if (isInDoubt()) {
                    log.warn(
                            "process {}: no heartbeat acknowledged for more than {} ms; it starts no new work until a heartbeat is acknowledged",
                            heartbeat.processId(),
                            lease.doubtAfter().toMillis());
                }
            }
            case FENCED -> stop.abandon();
        }
    }

    /**
     * Returns whether the lease is in doubt. The decision uses the clock, because a request without an answer may block
     * the thread of the heartbeat.
     */
    private boolean isInDoubt() {
        return Moment.of(time).isMoreThan(lease.doubtAfter(), acknowledgedAt);
    }

    private static void forget(Thread hook) {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            log.debug("shutdown hook not removed, because the process is already ending");
        }
    }
}
