package org.treerename.benchmark;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.Test;

class ExclusionTest {

    private final ReentrantLock lock = new ReentrantLock();
    private final CyclicBarrier meeting = new CyclicBarrier(Exclusion.THREADS);

    /** An implementation that runs {@code way} and acquires no locks itself. */
    private record Named(Way way) implements Locking {
        interface Way {
            void run(Runnable whileHeld) throws Exception;
        }

        @Override
        public String name() {
            return "a way";
        }

        @Override
        public void acquireAndRelease(TreeLocks locks, Runnable whileHeld) throws Exception {
            way.run(whileHeld);
        }
    }

    @Test
    void a_lock_that_excludes_others_is_accepted() {
        Named locking = new Named(whileHeld -> {
            lock.lock();
            try {
                whileHeld.run();
            } finally {
                lock.unlock();
            }
        });

        assertThatCode(() -> Exclusion.require(locking, () -> {})).doesNotThrowAnyException();
    }

    @Test
    void a_lock_with_several_holders_at_once_is_refused() {
        assertThatThrownBy(() -> Exclusion.require(new Named(Runnable::run), this::meet))
                .hasMessageContaining("a way: expected one holder of an exclusive lock set at a time, found 3");
    }

    @Test
    void a_lock_that_throws_is_refused() {
        Named locking = new Named(whileHeld -> {
            throw new IllegalStateException("no server");
        });

        assertThatThrownBy(() -> Exclusion.require(locking, () -> {})).hasMessageContaining("no server");
    }

    private void meet() {
        try {
            meeting.await(1, TimeUnit.MINUTES);
        } catch (InterruptedException | BrokenBarrierException | TimeoutException e) {
            throw new IllegalStateException(e);
        }
    }
}
