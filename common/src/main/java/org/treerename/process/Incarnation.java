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
 * until the work has ended. After the work, the last heartbeat sets the state of the document to stopped. Each instance
 * is used only once.
 *
 * <ol>
 *   <li>{@link Heartbeat#begin} creates the process document.
 *   <li>The work runs. The work pauses while the lease is in doubt. The lease is in doubt after half a lease without an
 *       acknowledged heartbeat.
 *   <li>After a stop request, the work must end within its part of the grace period ({@link GracefulShutdown}). After
 *       the last heartbeat, a janitor continues the renames that have not ended. The janitor does not wait for the end
 *       of the lease, because the document has the state stopped.
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
     * One moment, as the monotonic clock and the wall clock show it. One clock alone is not sufficient. The monotonic
     * clock may stop while the machine is suspended, and an operator may set back the wall clock.
     */
    private record Moment(long nanos, Instant at) {

        static Moment of(Time time) {
            return new Moment(time.nanos(), time.now());
        }

        boolean isMoreThan(Duration length, Moment earlier) {
            return nanos - earlier.nanos > length.toNanos()
                    || Duration.between(earlier.at, at).compareTo(length) > 0;
        }
    }

    /**
     * @param acknowledged receives the time at which each acknowledged heartbeat was sent, by the monotonic clock
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
     * Sets the function that returns the number of requests for each heartbeat.
     *
     * @param requests returns the number of requests that this process has in progress or may start. The number is zero
     *     only after the process has received a pause and all its requests have ended
     */
    public void report(IntSupplier requests) {
        running = requests;
    }

    /**
     * Runs the work, and sends heartbeats until the work ends. The work ends when it is complete, after a stop request,
     * or when this process is fenced.
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
     * Writes one heartbeat. {@link #live} calls this method. A caller that does not use {@code live} must call this
     * method once per {@link Lease#heartbeatEvery()}.
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
                            "process {}: no heartbeat was acknowledged for more than {} ms; the process starts no new"
                                    + " work until a heartbeat is acknowledged",
                            heartbeat.processId(),
                            lease.doubtAfter().toMillis());
                }
            }
            case FENCED -> stop.abandon();
        }
    }

    /** Compares times, because a request without an answer may block the thread that sends heartbeats. */
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
