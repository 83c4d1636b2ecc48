package org.treerename.elastic;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;

/**
 * Where threads that read ahead hand over what one thread takes. Where there is no room beside what lies here the next waits; who
 * waits does so also where its thread is interrupted.
 */
final class Handover<T> {

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Deque<T> lying = new ArrayDeque<>();
    private final Predicate<Collection<T>> hasRoom;
    private boolean isClosed;

    /**
     * @param hasRoom whether there is, beside what lies here; where nothing does there always is
     */
    Handover(Predicate<Collection<T>> hasRoom) {
        this.hasRoom = hasRoom;
    }

    /** Blocks until there is room; whether it was taken over, and not closed before. */
    boolean put(T next) {
        lock.lock();
        try {
            while (!lying.isEmpty() && !hasRoom.test(lying) && !isClosed) {
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

    /** What lies here first, if there is something, and it is wanted. */
    Optional<T> takeIf(Predicate<T> isWanted) {
        lock.lock();
        try {
            Optional<T> first = Optional.ofNullable(lying.peekFirst()).filter(isWanted);
            if (first.isPresent()) {
                lying.removeFirst();
                changed.signalAll();
            }
            return first;
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
