package org.treerename.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

/** Runs the simulation with many seeds in parallel on all processors. Stops when a run has a violation. */
public final class Campaign {

    private final long from;
    private final long count;
    private final Wiring wiring;
    private final AtomicLong next;
    private final AtomicReference<RuntimeException> broken = new AtomicReference<>();
    private final Figures figures = new Figures();

    private Campaign(long from, long count, Wiring wiring) {
        this.from = from;
        this.count = count;
        this.wiring = wiring;
        this.next = new AtomicLong(from);
    }

    /**
     * Runs the simulation with {@code count} seeds, beginning with the seed {@code from}. Returns after the last seed,
     * or when a run has a violation.
     */
    public static Figures run(long from, long count, Wiring wiring, Progress progress) {
        return new Campaign(from, count, wiring).run(progress);
    }

    /** Receives the figures after each run. */
    public interface Progress {
        void at(Figures figures);
    }

    private Figures run(Progress progress) {
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < Runtime.getRuntime().availableProcessors(); i++) {
            // a run switches between its threads at every step, and virtual threads switch fast
            threads.add(Thread.ofVirtual().start(() -> runSome(progress)));
        }
        boolean isUndisturbed = true;
        for (Thread thread : threads) {
            isUndisturbed &= awaitEnd(thread);
        }
        if (!isUndisturbed) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted");
        }
        RuntimeException failure = broken.get();
        if (failure != null) {
            throw failure;
        }
        return figures;
    }

    /** Returns false if the wait was interrupted. Each thread then ends after its current run. */
    private boolean awaitEnd(Thread thread) {
        boolean isUndisturbed = true;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                next.set(from + count);
                isUndisturbed = false;
            }
        }
        return isUndisturbed;
    }

    private void runSome(Progress progress) {
        try {
            for (long seed = next.getAndIncrement();
                    seed < from + count && figures.failure().isEmpty() && broken.get() == null;
                    seed = next.getAndIncrement()) {
                figures.add(Simulation.run(seed, wiring, false));
                progress.at(figures);
            }
        } catch (RuntimeException e) {
            broken.compareAndSet(null, e);
        }
    }
}
