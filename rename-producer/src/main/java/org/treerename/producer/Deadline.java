package org.treerename.producer;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.treerename.runtime.Time;

/** One bound over several steps. */
final class Deadline {

    private static final Logger log = LoggerFactory.getLogger(Deadline.class);
    private static final Duration LEAST = Duration.ofMillis(1);

    private final Time time;
    private final long begunNanos;
    private final Duration length;

    Deadline(Time time, Duration length) {
        this.time = time;
        this.begunNanos = time.nanos();
        this.length = length;
    }

    /** Comes back when it has ended, or when there is no time left. */
    void await(CompletableFuture<?> future) {
        try {
            future.get(left().toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException | ExecutionException e) {
            log.debug("not waited for any longer", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** What the next step may take: never nothing, which Kafka and {@link Thread#join(long)} read in their own ways. */
    Duration left() {
        Duration left = length.minusNanos(time.nanos() - begunNanos);
        return left.compareTo(LEAST) < 0 ? LEAST : left;
    }
}
