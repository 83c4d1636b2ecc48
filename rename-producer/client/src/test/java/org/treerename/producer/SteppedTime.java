package org.treerename.producer;

import java.time.Duration;
import java.time.Instant;
import org.treerename.runtime.Time;

/** A clock that advances only by {@link #advance} and {@link #pause}. */
public final class SteppedTime implements Time {

    private Instant now = Instant.parse("2026-08-01T10:00:00Z");
    private long nanos;

    @Override
    public synchronized Instant now() {
        return now;
    }

    @Override
    public synchronized long nanos() {
        return nanos;
    }

    @Override
    public void pause(Duration length) {
        advance(length);
    }

    public synchronized void advance(Duration length) {
        now = now.plus(length);
        nanos += length.toNanos();
    }
}
