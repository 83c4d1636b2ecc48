package org.treerename.runtime;

import io.github.resilience4j.core.IntervalFunction;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/** Growing, jittered pauses between tries of one thing. One thread calls it. */
public final class Backoff {

    private static final Logger log = LoggerFactory.getLogger(Backoff.class);
    private static final Duration FIRST = Duration.ofMillis(20);
    private static final double GROWTH = 1.7;
    private static final double JITTER = 0.5;
    private static final Duration LONGEST = Duration.ofSeconds(2);

    private final Time time;
    private final IntervalFunction intervals;
    private final String what;
    private int tries;

    private Backoff(Time time, IntervalFunction intervals, String what) {
        this.time = time;
        this.intervals = intervals;
        this.what = what;
    }

    /**
     * Makes them.
     *
     * @param intervals the pause in milliseconds after the n-th try, from 1
     */
    public record Factory(Time time, IntervalFunction intervals) {

        /** Pauses from 20 ms to 2 s, half as long to half as long again. */
        public static Factory jittered(Time time) {
            return new Factory(time, IntervalFunction.ofExponentialRandomBackoff(FIRST, GROWTH, JITTER, LONGEST));
        }

        public Backoff begin(String what) {
            return new Backoff(time, intervals, what);
        }
    }

    /** Waits before the next try. */
    public void pause() {
        tries++;
        time.pause(Duration.ofMillis(intervals.apply(tries)));
    }

    /** Tells why it has to be tried again, each time after twice as many tries as the last time, and waits. */
    public void pauseAfter(RuntimeException failure) {
        int tried = tries + 1;
        Level level = Integer.bitCount(tried) == 1 ? Level.WARN : Level.DEBUG;
        log.atLevel(level).log("{}, try {}: {}; trying again", what, tried, failure.getMessage());
        pause();
    }

    public int tries() {
        return tries;
    }
}
