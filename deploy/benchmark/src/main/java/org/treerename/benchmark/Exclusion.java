package org.treerename.benchmark;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

/** Whether a way to lock locks at all: how fast it would be without, nobody wants to know. */
final class Exclusion {

    static final int THREADS = 3;
    private static final int TIMES = 3;
    private static final Crowd CROWD = new Crowd(2, 1, false);

    private Exclusion() {}

    /**
     * Has several threads take the same lock set, again and again.
     *
     * @param meanwhile is done by who holds it, to give the others time to come in
     * @throws IllegalStateException if two ever held it at once
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
                        locking.takeAndGiveBack(same, () -> {
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
                    locking.name() + " let " + most + " hold at once what only one may hold; it is not measured");
        }
    }
}
