package org.treerename.simulation;

import java.util.Optional;

/**
 * The event counts of many runs, and the run with a violation that has the lowest seed. Any thread may call the methods
 * of this class.
 */
public final class Figures {

    private final Tally present = new Tally();
    private final Tally counts = new Tally();
    private long runs;
    private long steps;
    private long renames;
    private Optional<Simulation.Result> failure = Optional.empty();

    synchronized void add(Simulation.Result run) {
        runs++;
        steps += run.steps();
        renames += run.renames();
        present.addPresence(run.tally());
        counts.add(run.tally());
        boolean lowest = failure.map(before -> run.seed() < before.seed()).orElse(true);
        if (!run.violations().isEmpty() && lowest) {
            failure = Optional.of(run);
        }
    }

    public synchronized long runs() {
        return runs;
    }

    public synchronized long steps() {
        return steps;
    }

    public synchronized long renames() {
        return renames;
    }

    /** Returns the share of runs in which the event happened at least once. */
    public synchronized double share(Happening happening) {
        return runs == 0 ? 0 : (double) present.of(happening) / runs;
    }

    /** Returns how often the event happened in all runs together. */
    public synchronized long count(Happening happening) {
        return counts.of(happening);
    }

    /**
     * Returns the result of the run with the lowest seed among the runs with a violation; empty if no run has a
     * violation.
     */
    public synchronized Optional<Simulation.Result> failure() {
        return failure;
    }
}
