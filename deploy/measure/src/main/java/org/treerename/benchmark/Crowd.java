package org.treerename.benchmark;

import java.time.Duration;
import org.treerename.runtime.Time;

/**
 * Runs threads that acquire and release locks repeatedly. Each thread has its own source and destination.
 *
 * @param depth the depth of the source and of the destination. The two paths are in the same directory, so the number
 *     of locks in a lock set is the depth plus one
 * @param hot whether the paths of all threads begin with the same directory
 */
record Crowd(int depth, int threads, boolean hot) {

    private static final String NAMESPACE = "locks";

    /**
     * Acquires and releases lock sets in all threads until the time {@code length} is over.
     *
     * @param held the shortest time for which each lock set is held
     * @return the number of acquired and released lock sets, and the time
     */
    Throughput play(Locking locking, Duration length, Duration held, Time time) throws Exception {
        return new Clients(threads, length).workOfEach(time, thread -> {
            TreeLocks locks = locks(thread);
            return over -> {
                locking.acquireAndRelease(locks, () -> hold(held, time));
                return 1;
            };
        });
    }

    /**
     * Blocks for the time {@code held}, while the caller holds a lock set. If a pause ends early, blocks again for the
     * rest of this time.
     */
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

    /** Returns the locks that one thread needs for its source and its destination. */
    TreeLocks locks(int thread) {
        StringBuilder directory = new StringBuilder();
        for (int level = 1; level < depth; level++) {
            boolean common = hot && level == 1;
            directory.append('/').append(common ? "hot" : "level-" + level + "-of-" + thread);
        }
        return new TreeLocks(NAMESPACE, directory + "/source-of-" + thread, directory + "/destination-of-" + thread);
    }
}
