package org.treerename.producer;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.treerename.runtime.Time;

/** A time limit for a sequence of steps. */
final class Deadline {

    private static final Logger log = LoggerFactory.getLogger(Deadline.class);
    private static final Duration MINIMUM = Duration.ofMillis(1);

    private final Time time;
    private final long startNanos;
    private final Duration length;

    Deadline(Time time, Duration length) {
        this.time = time;
        this.startNanos = time.nanos();
        this.length = length;
    }

    /**
     * Waits until the future completes, or until no time is left. Throws no exception: the caller reads the result or
     * the failure from the future.
     */
    void await(CompletableFuture<?> future) {
        try {
            future.get(left().toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException | ExecutionException e) {
            log.debug("the wait ended without a result; the caller continues without the result", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Returns the time that the next step may use, at least 1 ms. The time is never zero, because zero means "no wait"
     * for Kafka, but "no limit" for {@link Thread#join(long)}.
     */
    Duration left() {
        Duration left = length.minusNanos(time.nanos() - startNanos);
        return left.compareTo(MINIMUM) < 0 ? MINIMUM : left;
    }
}
