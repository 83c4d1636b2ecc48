package org.treerename.process;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.treerename.runtime.Loop;
import org.treerename.runtime.StopSignal;

/**
 * Ends a process in two steps: first the work, then the heartbeat. The last heartbeat sets the state of the process
 * document to stopped. After a stop request the process must end within its grace period. If Elasticsearch does not
 * answer within this time, the process ends without the last heartbeat. In this case, other processes wait until the
 * lease of the ended process is over. Each instance is used only once. The working thread and the shutdown hook may
 * both call this class.
 */
final class GracefulShutdown {

    /** One fifth of the grace period is reserved for the heartbeat in progress and for the last heartbeat. */
    private static final int PART = 5;

    private static final Duration LEAST = Duration.ofMillis(500);
    private static final Logger log = LoggerFactory.getLogger(GracefulShutdown.class);

    private final Heartbeat heartbeat;
    private final Loop beating;
    private final StopSignal stop;
    private boolean heartbeatEnded;

    /**
     * @param beating the loop that writes the heartbeats
     */
    GracefulShutdown(Heartbeat heartbeat, Loop beating, StopSignal stop) {
        this.heartbeat = heartbeat;
        this.beating = beating;
        this.stop = stop;
    }

    /**
     * Ends the loop of heartbeats, and writes the last heartbeat. Returns when the last heartbeat is acknowledged or
     * has failed. A second call blocks until the first call has ended. The method is synchronized because only one
     * thread at a time may use a {@link Heartbeat}. A fenced process writes no last heartbeat.
     */
    synchronized void endHeartbeat() {
        if (heartbeatEnded) {
            return;
        }
        heartbeatEnded = true;
        beating.close();
        if (!stop.isAbandoned()) {
            heartbeat.stop();
        }
    }

    /** Returns the part of the grace period that is reserved for the last heartbeat. */
    static Duration part(Duration grace) {
        Duration part = grace.dividedBy(PART);
        return part.compareTo(LEAST) < 0 ? LEAST : part;
    }

    /**
     * Requests that the work stops. Returns when the work and the heartbeat have ended, at the latest at the end of the
     * grace period. Other processes take over the renames that have not ended in time.
     *
     * @param grace the time until the process must end, at least half a second
     * @param ended the latch that is released when the work and the heartbeat have ended
     */
    void within(Duration grace, CountDownLatch ended) {
        Duration part = part(grace);
        within(grace.minus(part), part, ended);
    }

    /**
     * Requests that the work stops, with one limit for the work and one limit for the last heartbeat. {@link
     * #within(Duration, CountDownLatch)} divides its grace period into these two limits.
     *
     * @param working the time that the work may take
     * @param lastHeartbeat the time that the last heartbeat may take after the work
     */
    void within(Duration working, Duration lastHeartbeat, CountDownLatch ended) {
        stop.request();
        try {
            if (ended.await(working.toMillis(), TimeUnit.MILLISECONDS)) {
                return;
            }
            log.warn(
                    "process {}: its work did not end within {} ms after the stop request; other processes take over"
                            + " its unfinished renames",
                    heartbeat.processId(),
                    working.toMillis());
            Thread last = Thread.ofPlatform().name("last-heartbeat").daemon().start(this::endHeartbeat);
            if (!last.join(lastHeartbeat)) {
                log.warn(
                        "process {}: the last heartbeat was not acknowledged; its renames are taken over when its lease ends",
                        heartbeat.processId());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
