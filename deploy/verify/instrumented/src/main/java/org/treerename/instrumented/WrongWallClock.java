package org.treerename.instrumented;

import java.time.Duration;
import java.time.Instant;
import org.treerename.runtime.Time;
import org.treerename.runtime.Wake;

/**
 * The clocks of a process whose wall clock is wrong. The monotonic clock is correct.
 *
 * @param ahead how far the wall clock is ahead of the correct time; negative if the clock is behind
 */
public record WrongWallClock(Time time, Duration ahead) implements Time {

    @Override
    public Instant now() {
        return time.now().plus(ahead);
    }

    @Override
    public long nanos() {
        return time.nanos();
    }

    @Override
    public void pause(Duration length) {
        time.pause(length);
    }

    @Override
    public boolean await(Wake wake, Duration most) {
        return time.await(wake, most);
    }
}
