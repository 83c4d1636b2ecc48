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
 * Passes items from threads that read ahead to the one thread that takes them. A thread that puts an item blocks while there is no room.
 * An interrupt does not end the wait of a thread.
 */
final class PageQueue<T> {

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Deque<T> lying = new ArrayDeque<>();
    private final Predicate<Collection<T>> hasRoom;
    private boolean isClosed;

    /**
     * @param hasRoom whether there is room beside the items that wait to be taken; if none waits, there always is
     */
    PageQueue(Predicate<Collection<T>> hasRoom) {
        this.hasRoom = hasRoom;
    }

    /** Blocks until there is room, and adds the item. Returns false if this was closed before; then the item is not added. */
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

    /** Blocks until there is an item, and removes it. */
    T take() {
        lock.lock();
        try {
            while (lying.isEmpty()) {
                if (isClosed) {
                    throw new IllegalStateException("closed: no item is added any more");
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

    /** Removes the first item if there is one and it is wanted. */
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

    /** Closes this: no item is added any more. Returns the items that were not taken. */
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
