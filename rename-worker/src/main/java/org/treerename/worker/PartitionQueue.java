package org.treerename.worker;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;
import org.treerename.path.Namespace;

/**
 * The requests of one partition from the lowest that has not ended, in the order of the log. Those whose footprints conflict
 * are carried one after the other, in that order; all others may be carried side by side. Bookkeeping only; one thread calls
 * it.
 */
final class PartitionQueue {

    /** One request in its place. */
    static final class Queued {
        private final ReceivedRecord taken;
        private final List<Queued> followers = new ArrayList<>();
        private Footprint footprint;
        private int awaited;
        private boolean begun;
        private boolean carried;
        private boolean ended;

        private Queued(ReceivedRecord taken, Footprint footprint) {
            this.taken = taken;
            this.footprint = footprint;
        }

        ReceivedRecord taken() {
            return taken;
        }

        /** How many requests wait for the end of this one itself. */
        int followers() {
            return followers.size();
        }

        /** A look at the last follower finds most cases; a follower too many costs time alone. */
        private boolean isFollowedByOneOf(Set<Queued> others) {
            return !followers.isEmpty() && others.contains(followers.getLast());
        }
    }

    /** From the lowest that has not ended. */
    private final Deque<Queued> window = new ArrayDeque<>();

    /** Those that wait for nothing but a turn, the lowest first where they became so together. */
    private final Deque<Queued> ready = new ArrayDeque<>();

    /** Those that have not ended. */
    private final ConflictIndex<Queued> conflicts = new ConflictIndex<>();

    /** The namespaces of those whose footprints were not known. */
    private final Set<String> unknowns = new HashSet<>();

    /** How many are neither carried nor have ended. */
    private int waiting;

    private OptionalLong afterLast = OptionalLong.empty();
    private long bytes;

    /** Puts the next record of the log at the end. */
    void add(ReceivedRecord taken, Footprint footprint) {
        Queued queued = new Queued(taken, footprint);
        follow(queued);
        window.add(queued);
        afterLast = OptionalLong.of(taken.message().offset() + 1);
        bytes += taken.bytes();
        waiting++;
        if (queued.awaited == 0) {
            ready.add(queued);
        }
        if (footprint instanceof Footprint.Unknown unknown) {
            unknowns.add(unknown.namespace());
        }
    }

    /**
     * Puts one behind all before it that it conflicts with. One of these that another of these follows needs no follower more: the
     * request then follows both.
     */
    private void follow(Queued queued) {
        Set<Queued> before = conflicts.add(queued, queued.footprint);
        for (Queued one : before) {
            if (!one.isFollowedByOneOf(before)) {
                one.followers.add(queued);
                queued.awaited++;
            }
        }
    }

    /**
     * Looks again at those whose footprint was not known; those that have not begun may then follow fewer.
     *
     * @param known the definitions of namespaces, as far as they are known without asking anybody
     */
    void learn(Function<String, Optional<Namespace>> known) {
        if (!unknowns.removeIf(name -> known.apply(name).isPresent())) {
            return;
        }
        ready.clear();
        conflicts.clear();
        for (Queued queued : window) {
            if (queued.footprint instanceof Footprint.Unknown) {
                queued.footprint = queued.taken.footprint(known);
            }
            queued.followers.clear();
            if (!queued.begun) {
                queued.awaited = 0;
                follow(queued);
                if (queued.awaited == 0) {
                    ready.add(queued);
                }
            } else if (!queued.ended) {
                var unused = conflicts.add(queued, queued.footprint);
            }
        }
    }

    /** The next that may begin, which the caller begins. */
    Optional<Queued> begin() {
        Optional<Queued> next = Optional.ofNullable(ready.poll());
        next.ifPresent(queued -> queued.begun = true);
        return next;
    }

    /** One that has been begun is carried from now on: it is not held back any more. */
    void carry(Queued queued) {
        if (!queued.carried) {
            queued.carried = true;
            waiting--;
        }
    }

    /** It has ended, and its offset may be let go when those of all before it may. */
    void end(Queued queued) {
        queued.ended = true;
        conflicts.remove(queued, queued.footprint);
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
        if (window.isEmpty()) {
            unknowns.clear();
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

    /** How many of them nobody has begun to carry. */
    int waiting() {
        return waiting;
    }

    /** Of the values of those that have not ended. */
    long bytes() {
        return bytes;
    }
}
