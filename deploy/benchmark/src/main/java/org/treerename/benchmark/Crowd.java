package org.treerename.benchmark;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
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
    double play(Locking locking, long millis, Time time) throws Exception {
        CountDownLatch ready = new CountDownLatch(threads);
        List<Future<Long>> counts = new ArrayList<>();
        try (ExecutorService pool = Executors.newFixedThreadPool(threads)) {
            long begun = time.nanos();
            for (int i = 0; i < threads; i++) {
                LockSet locks = locks(i);
                counts.add(pool.submit(() -> {
                    ready.countDown();
                    ready.await();
                    long count = 0;
                    do {
                        locking.takeAndGiveBack(locks, () -> {});
                        count++;
                    } while (time.nanos() - begun < millis * 1_000_000);
                    return count;
                }));
            }
            long all = 0;
            for (Future<Long> count : counts) {
                all += count.get();
            }
            return all * 1e9 / (time.nanos() - begun);
        }
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
