package org.treerename.runtime;

import java.time.Duration;
import java.time.Instant;

/** The clocks of this machine. */
public final class SystemTime implements Time {

    private final Duration ahead;

    public SystemTime() {
        this(Duration.ZERO);
    }

    /** Creates clocks whose wall clock is wrong by this duration. The monotonic clock is the clock of the machine. */
    public SystemTime(Duration ahead) {
        this.ahead = ahead;
    }

    @Override
    public Instant now() {
        return Instant.now().plus(ahead);
    }

    @Override
    public long nanos() {
        return System.nanoTime();
    }

    @Override
    public void pause(Duration length) {
        try {
            Thread.sleep(length);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public boolean await(Wake wake, Duration most) {
        return wake.block(most);
    }
}
