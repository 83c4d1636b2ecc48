package org.treerename.runtime;

import io.github.resilience4j.core.IntervalFunction;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Waits between the tries of one operation. The pauses grow, and each pause varies at random. Only one thread calls
 * this class.
 */
public final class Backoff {

    private static final Logger log = LoggerFactory.getLogger(Backoff.class);
    private static final Duration FIRST = Duration.ofMillis(20);
    private static final double GROWTH = 1.7;
    private static final double JITTER = 0.5;
    private static final Duration LONGEST = Duration.ofSeconds(2);

    private final Time time;
    private final IntervalFunction intervals;
    private final String operation;
    private int tries;

    private Backoff(Time time, IntervalFunction intervals, String operation) {
        this.time = time;
        this.intervals = intervals;
        this.operation = operation;
    }

    /**
     * Creates a new backoff for each operation.
     *
     * @param intervals the function that returns the pause in milliseconds after the n-th try; n begins at 1
     */
    public record Factory(Time time, IntervalFunction intervals) {

        /**
         * Returns a factory of backoffs whose pauses grow from 20 ms to 2 s. Each pause varies at random by up to half
         * of its length.
         */
        public static Factory jittered(Time time) {
            return new Factory(time, IntervalFunction.ofExponentialRandomBackoff(FIRST, GROWTH, JITTER, LONGEST));
        }

        public Backoff begin(String operation) {
            return new Backoff(time, intervals, operation);
        }
    }

    /** Waits before the next try. */
    public void pause() {
        tries++;
        time.pause(Duration.ofMillis(intervals.apply(tries)));
    }

    /**
     * Logs the failure and waits before the next try. The log level is WARN after 1, 2, 4, 8… failed tries, and DEBUG
     * otherwise.
     */
    public void pauseAfter(RuntimeException failure) {
        int tried = tries + 1;
        Level level = Integer.bitCount(tried) == 1 ? Level.WARN : Level.DEBUG;
        log.atLevel(level).log("{}: try {} failed: {}; retrying", operation, tried, failure.getMessage());
        pause();
    }

    public int tries() {
        return tries;
    }
}
