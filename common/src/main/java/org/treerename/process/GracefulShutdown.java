package org.treerename.process;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.treerename.runtime.Loop;
import org.treerename.runtime.StopSignal;

/**
 * How a process takes its leave: the heartbeat stops last, and its document says that it has stopped. Asked to stop it has its
 * grace, and no more, whoever answers: where the store hangs, the process ends unheard, and others wait for its lease. Made for
 * one use; the thread that works and the one that is asked to end the process may both call it.
 */
final class GracefulShutdown {

    /** Of the grace, for the heartbeat on its way and the last one. */
    private static final int PART = 5;

    private static final Duration LEAST = Duration.ofMillis(500);
    private static final Logger log = LoggerFactory.getLogger(GracefulShutdown.class);

    private final Heartbeat heartbeat;
    private final Loop beating;
    private final StopSignal stop;
    private boolean said;

    /**
     * @param beating of the heartbeat
     */
    GracefulShutdown(Heartbeat heartbeat, Loop beating, StopSignal stop) {
        this.heartbeat = heartbeat;
        this.beating = beating;
        this.stop = stop;
    }

    /** Comes back when it is said; one call after the other, for a heartbeat is of one thread. A fenced process says nothing. */
    synchronized void say() {
        if (said) {
            return;
        }
        said = true;
        beating.close();
        if (!stop.isAbandoned()) {
            heartbeat.stop();
        }
    }

    /** The last part of the grace, in which the work goes on no more. */
    static Duration part(Duration grace) {
        Duration part = grace.dividedBy(PART);
        return part.compareTo(LEAST) < 0 ? LEAST : part;
    }

    /**
     * Asks the work to stop. Comes back when it has ended and that is said, and at the end of the grace at the latest; what has
     * not ended in time is handed over.
     *
     * @param ended at the end of the work, and of what it had to say
     * @param grace half a second at least
     */
    void within(Duration grace, CountDownLatch ended) {
        Duration part = part(grace);
        within(grace.minus(part), part, ended);
    }

    /**
     * Asks the work to stop, as {@link #within(Duration, CountDownLatch)} does.
     *
     * @param working how long the work may take
     * @param saying how long the last heartbeat may take after that
     */
    void within(Duration working, Duration saying, CountDownLatch ended) {
        stop.request();
        try {
            if (ended.await(working.toMillis(), TimeUnit.MILLISECONDS)) {
                return;
            }
            log.warn("{} hands over what has not ended", heartbeat.processId());
            Thread last = Thread.ofPlatform().name("farewell").daemon().start(this::say);
            if (!last.join(saying)) {
                log.warn("{} ends unheard; others wait for its lease", heartbeat.processId());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
