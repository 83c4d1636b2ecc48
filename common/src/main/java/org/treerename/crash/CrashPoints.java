package org.treerename.crash;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntPredicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts how often the chosen point is reached, over all incarnations of this JVM, and acts once, up to then, or from
 * then on. Any thread
 * may reach a point; the one that does it the n-th time acts.
 */
public final class CrashPoints {

    private static final Logger log = LoggerFactory.getLogger(CrashPoints.class);
    private static final CrashAt NEVER = new CrashAt(CrashPoint.BEFORE_PREPARE, Integer.MAX_VALUE);

    /** Nothing ever happens; whoever wires leaves the stores undecorated. */
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

    /** Acts the n-th time and each time after it. */
    static CrashPoints from(CrashAt at, Runnable action) {
        return new CrashPoints(at, time -> time >= at.time(), action);
    }

    /** Fails unexpectedly from the first time to that one. */
    static CrashPoints failingUpTo(CrashAt at) {
        return new CrashPoints(at, time -> time <= at.time(), () -> {
            throw new IllegalStateException("made to fail at " + at.point());
        });
    }

    public boolean isOff() {
        return this == OFF;
    }

    /** Called where the point lies; may not come back, or come back late. */
    public void reach(CrashPoint point) {
        if (point != chosen) {
            return;
        }
        int time = reached.incrementAndGet();
        if (times.test(time)) {
            log.warn("reached {} for the {}. time", point, time);
            action.run();
            log.warn("went on after {}", point);
        }
    }
}
