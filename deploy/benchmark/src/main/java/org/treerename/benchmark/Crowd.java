package org.treerename.benchmark;

import java.time.Duration;
import org.treerename.lock.LockSet;
import org.treerename.path.Path;
import org.treerename.runtime.Time;

/**
 * Threads that lock over and over again, each its own source and destination.
 *
 * @param depth at which source and destination stand, side by side: so many locks and one
 * @param hot whether all have their first ancestor in common
 */
record Crowd(int depth, int threads, boolean hot) {

    private static final String NAMESPACE = "locks";

    /** How many lock sets a second they take and give back. */
    double play(Locking locking, Duration length, Time time) throws Exception {
        return new Clients(threads, length).perSecondOfEach(time, thread -> {
            LockSet locks = locks(thread);
            return over -> {
                locking.takeAndGiveBack(locks, () -> {});
                return 1;
            };
        });
    }

    /** What one of them locks. */
    LockSet locks(int thread) {
        StringBuilder directory = new StringBuilder();
        for (int level = 1; level < depth; level++) {
            boolean common = hot && level == 1;
            directory.append('/').append(common ? "hot" : "level-" + level + "-of-" + thread);
        }
        return LockSet.tree(
                NAMESPACE,
                new Path(directory + "/source-of-" + thread),
                new Path(directory + "/destination-of-" + thread));
    }
}
