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
 * The life of one process: its document is there before it works, its heartbeat moves until the work has ended, and then the
 * document says that it has stopped. Made for one use.
 *
 * <ol>
 *   <li>the heartbeat's first step creates the process document;
 *   <li>the work runs, and stops early while it is in doubt whether the heartbeat is seen;
 *   <li>asked to stop, it has its grace ({@link GracefulShutdown}); what has not ended by then is handed over: the document says that
 *       the process has stopped, and a janitor goes on without waiting for a lease.
 * </ol>
 */
public final class Incarnation {

    /** How it ended. */
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

    /** By both clocks: the monotonic one stands still while the machine is suspended, the wall clock may be set back. */
    private record Moment(long nanos, Instant at) {

        static Moment of(Time time) {
            return new Moment(time.nanos(), time.now());
        }

        /** Whether more time has passed since the earlier one, by either clock. */
        boolean isMoreThan(Duration length, Moment earlier) {
            return nanos - earlier.nanos > length.toNanos()
                    || Duration.between(earlier.at, at).compareTo(length) > 0;
        }
    }

    /**
     * @param acknowledged is told, on the monotonic clock, when each acknowledged heartbeat was sent
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
     * Reports with each heartbeat how many requests this process carries, or may begin.
     *
     * @param requests zero only after the process has noticed a pause and has ended all
     */
    public void report(IntSupplier requests) {
        running = requests;
    }

    /**
     * Runs the work until it returns by itself, because it was asked to stop or this process was fenced.
     *
     * @param grace how long it may all take after a signal to the process
     */
    public End live(Runnable work, Duration grace) {
        Loop beating = Loop.start("heartbeat", time, lease.heartbeatEvery(), this::beat);
        GracefulShutdown shutdown = new GracefulShutdown(heartbeat, beating, stop);
        CountDownLatch ended = new CountDownLatch(1);
        Thread stopping = new Thread(() -> shutdown.within(grace, ended), "stopping");
        Runtime.getRuntime().addShutdownHook(stopping);
        log.info("{} is live", heartbeat.processId());
        try {
            work.run();
        } finally {
            shutdown.say();
            ended.countDown();
            forget(stopping);
        }
        log.info("{} has {}", heartbeat.processId(), stop.isAbandoned() ? "been fenced" : "stopped");
        return stop.isAbandoned() ? End.FENCED : End.STOPPED;
    }

    /** One heartbeat. {@link #live} sees to it; who runs the work by other means calls it as often as the lease says. */
    public void beat() {
        Moment sent = Moment.of(time);
        switch (heartbeat.beat(running.getAsInt())) {
            case ACKNOWLEDGED -> {
                acknowledgedAt = sent;
                acknowledged.accept(sent.nanos());
            }
            case UNANSWERED -> {
                if (isInDoubt()) {
                    log.warn("{} begins nothing new until a heartbeat is acknowledged", heartbeat.processId());
                }
            }
            case FENCED -> stop.abandon();
        }
    }

    /** Told by the clock and not by the heartbeat's thread, which may be waiting for an answer itself. */
    private boolean isInDoubt() {
        return Moment.of(time).isMoreThan(lease.doubtAfter(), acknowledgedAt);
    }

    private static void forget(Thread hook) {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            log.debug("the process is ending already");
        }
    }
}
