package org.treerename.runtime;

import java.time.Duration;
import java.time.Instant;

/** The only way to read a clock or to wait. */
public interface Time {

    /** The wall clock, for showing, and for what must not miss that the machine was suspended. */
    Instant now();

    /** A monotonic clock in nanoseconds, for measuring; it has no relation to {@link #now}. */
    long nanos();

    /** Waits. An interrupt ends it at once, and the thread's interrupt flag stays set. */
    void pause(Duration length);
}
