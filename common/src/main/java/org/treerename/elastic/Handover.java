package org.treerename.elastic;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Where threads that read ahead hand over what one thread takes. As long as one thing lies here the next waits; who waits does
 * so also where its thread is interrupted.
 */
final class Handover<T> {

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Deque<T> lying = new ArrayDeque<>();
    private boolean isClosed;

    /** Blocks until there is room; whether it was taken over, and not closed before. */
    boolean put(T next) {
        lock.lock();
        try {
            while (!lying.isEmpty() && !isClosed) {
                changed.awaitUninterruptibly();
            }
            if (!isClosed) {
                lying.addLast(next);
                changed.signalAll();
            }
            return !isClosed;
        } finally {
            lock.unlock();
        }
    }

    /** Blocks until there is something. */
    T take() {
        lock.lock();
        try {
            while (lying.isEmpty()) {
                if (isClosed) {
                    throw new IllegalStateException("nothing is handed over any more");
                }
                changed.awaitUninterruptibly();
            }
            T taken = lying.removeFirst();
            changed.signalAll();
            return taken;
        } finally {
            lock.unlock();
        }
    }

    boolean isClosed() {
        lock.lock();
        try {
            return isClosed;
        } finally {
            lock.unlock();
        }
    }

    /** Nothing is taken over from now on; what lies here and was not taken. */
    List<T> close() {
        lock.lock();
        try {
            isClosed = true;
            changed.signalAll();
            List<T> left = new ArrayList<>(lying);
            lying.clear();
            return left;
        } finally {
            lock.unlock();
        }
    }
}
