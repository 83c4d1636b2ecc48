package org.treerename.worker;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.treerename.lock.LockSet;

/**
 * The requests of one partition from the lowest that has not ended, in the order of the log. Those whose lock sets conflict
 * are carried one after the other, in that order; all others may be carried side by side. Bookkeeping only; one thread calls
 * it.
 */
final class PartitionQueue {

    /** One request in its place. */
    static final class Queued {
        private final Taken taken;
        private final Optional<LockSet> locks;
        private final List<Queued> followers = new ArrayList<>();
        private int awaited;
        private boolean ended;

        private Queued(Taken taken) {
            this.taken = taken;
            this.locks = taken.lockSet();
        }

        Taken taken() {
            return taken;
        }

        private boolean conflictsWith(Queued other) {
            return locks.isPresent() && other.locks.isPresent() && locks.get().conflictsWith(other.locks.get());
        }
    }

    /** From the lowest that has not ended. */
    private final Deque<Queued> window = new ArrayDeque<>();

    /** Those that wait for nothing but a turn, the lowest first where they became so together. */
    private final Deque<Queued> ready = new ArrayDeque<>();

    private OptionalLong afterLast = OptionalLong.empty();
    private long bytes;

    /** Puts the next record of the log at the end. */
    void add(Taken taken) {
        Queued queued = new Queued(taken);
        for (Queued before : window) {
            if (!before.ended && before.conflictsWith(queued)) {
                before.followers.add(queued);
                queued.awaited++;
            }
        }
        window.add(queued);
        afterLast = OptionalLong.of(taken.message().offset() + 1);
        bytes += taken.bytes();
        if (queued.awaited == 0) {
            ready.add(queued);
        }
    }

    /** The next that may begin, which the caller begins. */
    Optional<Queued> begin() {
        return Optional.ofNullable(ready.poll());
    }

    /** It has ended, and its offset may be let go when those of all before it may. */
    void end(Queued queued) {
        queued.ended = true;
        bytes -= queued.taken.bytes();
        for (Queued follower : queued.followers) {
            follower.awaited--;
            if (follower.awaited == 0) {
                ready.add(follower);
            }
        }
        while (!window.isEmpty() && window.getFirst().ended) {
            window.removeFirst();
        }
    }

    /** The offset from which the log is to be read again after a death; empty before the first record. */
    OptionalLong position() {
        return window.isEmpty()
                ? afterLast
                : OptionalLong.of(window.getFirst().taken.message().offset());
    }

    /** How many have been taken since the lowest that has not ended. */
    int length() {
        return window.size();
    }

    /** Of the values of those that have not ended. */
    long bytes() {
        return bytes;
    }
}
