package org.treerename.benchmark;

import java.time.Duration;
import org.treerename.runtime.Time;

/**
 * Threads that lock over and over again, each its own source and destination.
 *
 * @param depth at which source and destination stand, side by side: so many locks and one
 * @param hot whether all have their first ancestor in common
 */
record Crowd(int depth, int threads, boolean hot) {

    private static final String NAMESPACE = "locks";

    /**
     * Has them lock for a while.
     *
     * @param held how long each lock set is held at least
     * @return how many lock sets a second they take and give back
     */
    double play(Locking locking, Duration length, Duration held, Time time) throws Exception {
        return new Clients(threads, length)
                .workOfEach(time, thread -> {
                    TreeLocks locks = locks(thread);
                    return over -> {
                        locking.takeAndGiveBack(locks, () -> hold(held, time));
                        return 1;
                    };
                })
                .perSecond();
    }

    /** Returns no earlier than the lock set was held for so long, also where a pause ends early. */
    static void hold(Duration held, Time time) {
        long begun = time.nanos();
        long left = held.toNanos();
        while (left > 0) {
            time.pause(Duration.ofNanos(left));
            if (Thread.currentThread().isInterrupted()) {
                throw new IllegalStateException("interrupted while a lock set was held");
            }
            left = held.toNanos() - (time.nanos() - begun);
        }
    }

    /** What one of them locks. */
    TreeLocks locks(int thread) {
        StringBuilder directory = new StringBuilder();
        for (int level = 1; level < depth; level++) {
            boolean common = hot && level == 1;
            directory.append('/').append(common ? "hot" : "level-" + level + "-of-" + thread);
        }
        return new TreeLocks(NAMESPACE, directory + "/source-of-" + thread, directory + "/destination-of-" + thread);
    }
}
