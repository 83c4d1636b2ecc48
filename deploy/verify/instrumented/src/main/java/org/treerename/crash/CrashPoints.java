package org.treerename.crash;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntPredicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts how often this JVM reaches the chosen point, and runs an action. A new process id does not reset the count.
 * The action runs the n-th time, each time up to the n-th time, or each time from the n-th time on. The thread that
 * reaches the point runs the action.
 */
public final class CrashPoints {

    private static final Logger log = LoggerFactory.getLogger(CrashPoints.class);
    private static final CrashAt NEVER = new CrashAt(CrashPoint.BEFORE_PREPARE, Integer.MAX_VALUE);

    /** No crash point. {@link Crashing} does not decorate the stores. */
    public static final CrashPoints OFF = new CrashPoints(NEVER, () -> {});

    private final CrashPoint chosen;
    private final IntPredicate times;
    private final Runnable action;
    private final AtomicInteger reached = new AtomicInteger();

    CrashPoints(CrashAt at, Runnable action) {
        this(at, time -> time == at.time(), action);
    }

    private CrashPoints(CrashAt at, IntPredicate times, Runnable action) {
        this.chosen = at.point();
        this.times = times;
        this.action = action;
    }

    /** Returns crash points that run the action the n-th time and each later time. */
    static CrashPoints from(CrashAt at, Runnable action) {
        return new CrashPoints(at, time -> time >= at.time(), action);
    }

    /** Returns crash points that throw an unexpected exception from the first time to the n-th time. */
    static CrashPoints failingUpTo(CrashAt at) {
        return new CrashPoints(at, time -> time <= at.time(), () -> {
            throw new IllegalStateException("--fail-at made this process fail at " + at.point());
        });
    }

    public boolean isOff() {
        return this == OFF;
    }

    /**
     * If this point is the chosen point, increments the count, and runs the action if the count matches. The action may
     * end the process or block the thread.
     */
    public void reach(CrashPoint point) {
        if (point != chosen) {
            return;
        }
        int time = reached.incrementAndGet();
        if (times.test(time)) {
            log.warn("crash point {} was reached (count: {}); its action begins", point, time);
            action.run();
            log.warn("crash point {}: its action has ended; the process continues", point);
        }
    }
}
