package org.treerename.local;

import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.treerename.runtime.Time;

/** Waits for something to become true. */
record Patience(Time time, Duration pause) {

    /** Whether it became true in time; it is asked at least once. An interruption ends the waiting. */
    boolean until(Duration timeout, BooleanSupplier condition) {
        long begun = time.nanos();
        while (!condition.getAsBoolean()) {
            if (time.nanos() - begun >= timeout.toNanos()
                    || Thread.currentThread().isInterrupted()) {
                return false;
            }
            time.pause(pause);
        }
        return true;
    }
}
