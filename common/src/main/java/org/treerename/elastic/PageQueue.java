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
 * A queue between threads that read ahead and the one thread that processes the items. A thread that adds an item
 * blocks while the queue has no room. An interrupt does not end the wait of a thread.
 */
final class PageQueue<T> {

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Deque<T> waiting = new ArrayDeque<>();
    private final Predicate<Collection<T>> hasRoom;
    private boolean isClosed;

    /**
     * @param hasRoom returns whether the queue has room for another item in addition to the waiting items; an empty
     *     queue always has room
     */
    PageQueue(Predicate<Collection<T>> hasRoom) {
        this.hasRoom = hasRoom;
    }

    /**
     * Blocks until the queue has room, and adds the item. Returns false and does not add the item if the queue is
     * closed.
     */
    boolean put(T next) {
        lock.lock();
        try {
            while (!waiting.isEmpty() && !hasRoom.test(waiting) && !isClosed) {
                changed.awaitUninterruptibly();
            }
            if (!isClosed) {
                waiting.addLast(next);
                changed.signalAll();
            }
            return !isClosed;
        } finally {
            lock.unlock();
        }
    }

    /** Blocks until the queue contains an item. Then removes and returns the first item. */
    T take() {
        lock.lock();
        try {
            while (waiting.isEmpty()) {
                if (isClosed) {
                    throw new IllegalStateException("the queue is closed and empty");
                }
                changed.awaitUninterruptibly();
            }
            T first = waiting.removeFirst();
            changed.signalAll();
            return first;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Removes and returns the first item if it satisfies the condition. Otherwise, or if there is no item, returns
     * empty.
     */
    Optional<T> takeIf(Predicate<T> isWanted) {
        lock.lock();
        try {
            Optional<T> first = Optional.ofNullable(waiting.peekFirst()).filter(isWanted);
            if (first.isPresent()) {
                waiting.removeFirst();
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

    /** Closes the queue, so that no item can be added. Removes and returns the remaining items. */
    List<T> close() {
        lock.lock();
        try {
            isClosed = true;
            changed.signalAll();
            List<T> remaining = new ArrayList<>(waiting);
            waiting.clear();
            return remaining;
        } finally {
            lock.unlock();
        }
    }
}
