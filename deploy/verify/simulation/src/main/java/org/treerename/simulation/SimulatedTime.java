package org.treerename.simulation;

import java.time.Duration;
import java.time.Instant;
import org.treerename.runtime.Time;
import org.treerename.runtime.Wake;
import org.treerename.simulation.schedule.Actor;
import org.treerename.simulation.schedule.Scheduler;

/**
 * The clocks of one actor. The monotonic clock is a little faster or slower than the clocks of other actors. The wall
 * clock has a small constant error until it jumps.
 */
final class SimulatedTime implements Time {

    private final Scheduler scheduler;
    private final Actor actor;
    private Instant start;

    /** @param start the time of the wall clock at the beginning of the run */
    SimulatedTime(Scheduler scheduler, Actor actor, Instant start) {
        this.scheduler = scheduler;
        this.actor = actor;
        this.start = start;
    }

    /** Adds a duration to the error of the wall clock. */
    void jump(Duration by) {
        start = start.plus(by);
    }

    @Override
    public Instant now() {
        return start.plusNanos(scheduler.nowNanos() / 1_000_000 * 1_000_000);
    }

    @Override
    public long nanos() {
        return actor.ownNanos(scheduler.nowNanos());
    }

    @Override
    public void pause(Duration length) {
        scheduler.pause(length.toNanos());
    }

    @Override
    public boolean await(Wake wake, Duration most) {
        return scheduler.awaitFor(wake::poll, most.toNanos());
    }
}
