package org.treerename.local;

import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.treerename.runtime.Time;

/** Checks a condition repeatedly until the condition is true or a timeout has passed. */
record Patience(Time time, Duration pause) {

    /**
     * Returns whether the condition became true before the timeout. Checks the condition at least once. An interrupt
     * ends the wait.
     */
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
