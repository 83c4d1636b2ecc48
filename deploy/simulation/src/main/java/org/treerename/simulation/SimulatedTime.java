package org.treerename.simulation;

import java.time.Duration;
import java.time.Instant;
import org.treerename.runtime.Time;
import org.treerename.runtime.Wake;
import org.treerename.simulation.schedule.Actor;
import org.treerename.simulation.schedule.Scheduler;

/** One actor's clocks: its monotonic one runs at its own rate, its wall clock is wrong by a little, until it jumps. */
final class SimulatedTime implements Time {

    private final Scheduler scheduler;
    private final Actor actor;
    private Instant start;

    /**
     * @param start what its wall clock shows when the run begins
     */
    SimulatedTime(Scheduler scheduler, Actor actor, Instant start) {
        this.scheduler = scheduler;
        this.actor = actor;
        this.start = start;
    }

    /** The wall clock is wrong by that much more from now on. */
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
