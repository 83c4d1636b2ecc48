package org.treerename.benchmark;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Checks that an implementation of locks lets only one thread at a time hold an exclusive lock. If this check fails,
 * the speed of the implementation has no meaning.
 */
final class Exclusion {

    static final int THREADS = 3;
    private static final int TIMES = 3;
    private static final Crowd CROWD = new Crowd(2, 1, false);

    private Exclusion() {}

    /**
     * Lets several threads acquire the same lock set repeatedly, and checks that only one thread at a time holds this
     * lock set.
     *
     * @param meanwhile runs while a thread holds the lock set; it must take long enough that a second thread tries to
     *     acquire the lock set
     * @throws IllegalStateException if two threads held the lock set at the same time
     */
    static void require(Locking locking, Runnable meanwhile) throws Exception {
        TreeLocks same = CROWD.locks(0);
        AtomicInteger inside = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        List<Future<?>> all = new ArrayList<>();
        try (ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
            for (int i = 0; i < THREADS; i++) {
                all.add(threads.submit(() -> {
                    for (int n = 0; n < TIMES; n++) {
                        locking.acquireAndRelease(same, () -> {
                            most.accumulateAndGet(inside.incrementAndGet(), Math::max);
                            meanwhile.run();
                            inside.decrementAndGet();
                        });
                    }
                    return null;
                }));
            }
        }
        for (Future<?> one : all) {
            one.get();
        }
        if (most.get() != 1) {
            throw new IllegalStateException(
                    locking.name() + ": expected one holder of an exclusive lock set at a time, found " + most
                            + "; these locks are not measured");
        }
    }
}
