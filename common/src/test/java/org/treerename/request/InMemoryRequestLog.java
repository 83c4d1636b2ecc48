package org.treerename.request;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Supplier;

/** A request log. At first, the workers have finished every request. */
public final class InMemoryRequestLog implements RequestLog {

    private final Supplier<Optional<Duration>> retention;

    /** The time at which the oldest unfinished request was appended. */
    private Instant unfinishedSince = Instant.MAX;

    public InMemoryRequestLog(Supplier<Optional<Duration>> retention) {
        this.retention = retention;
    }

    @Override
    public Optional<Duration> retention() {
        return retention.get();
    }

    /** Sets the time at which the oldest unfinished request was appended. */
    public void unfinishedSince(Instant time) {
        unfinishedSince = time;
    }

    @Override
    public boolean isFinishedBefore(Instant time) {
        return !unfinishedSince.isBefore(time);
    }
}
