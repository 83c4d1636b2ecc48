package org.treerename.runtime;

import java.time.Duration;
import java.time.Instant;

/** Reads the clocks of this machine, and blocks the calling thread while it waits. */
public final class SystemTime implements Time {

    @Override
    public Instant now() {
        return Instant.now();
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
