package org.treerename.instrumented;

import java.time.Duration;
import java.util.function.UnaryOperator;
import org.treerename.crash.CrashPoint;
import org.treerename.crash.CrashPoints;
import org.treerename.crash.Crashing;
import org.treerename.process.ProcessStore;
import org.treerename.rename.Stores;
import org.treerename.runtime.Time;
import org.treerename.service.Instrumentation;
import org.treerename.steps.Steps;

/**
 * The instrumentation of one process: its crash points, a wall clock that may be wrong, and a log line for each step.
 *
 * @param wallClockAhead how far the wall clock is ahead of the correct time; negative if the clock is behind
 * @param crashing the function that adds crash points to the stores of this kind of service
 */
record Instruments(CrashPoints points, Duration wallClockAhead, UnaryOperator<Stores> crashing)
        implements Instrumentation {

    static Instruments ofWorker(CrashPoints points, Duration wallClockAhead) {
        return new Instruments(points, wallClockAhead, stores -> Crashing.ofWorker(points, stores));
    }

    static Instruments ofJanitor(CrashPoints points, Duration wallClockAhead) {
        return new Instruments(points, wallClockAhead, stores -> Crashing.ofJanitor(points, stores));
    }

    @Override
    public Time time(Time time) {
        return new WrongWallClock(time, wallClockAhead);
    }

    @Override
    public Stores stores(Stores stores) {
        return Steps.logged(crashing.apply(stores));
    }

    /**
     * Decorates the process store of a janitor. The process store of a worker has no crash point, because a worker
     * never fences a process.
     */
    @Override
    public ProcessStore processes(ProcessStore processes) {
        return Crashing.ofJanitor(points, processes);
    }

    @Override
    public void beforeOffset() {
        points.reach(CrashPoint.BEFORE_OFFSET);
    }
}
