package org.treerename.worker;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SequencedSet;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.treerename.namespace.Namespace;

/**
 * Keeps the requests of one partition that have not ended, in the order of their offsets. Requests whose footprints conflict are processed one after the other, in the order of their offsets. All other
 * requests may be processed in parallel. The queue does not process requests; it only records their states. Only one
 * thread calls this class.
 */
final class PartitionQueue {

    /** One request in the queue. */
    static final class Queued {
        private final ReceivedRecord received;
        private final List<Queued> followers = new ArrayList<>();
        private final Optional<Integer> epochBefore;
        private Footprint footprint;
        private int awaited;
        private boolean begun;
        private boolean processed;

        private Queued(ReceivedRecord received, Footprint footprint, Optional<Integer> epochBefore) {
            this.received = received;
            this.footprint = footprint;
            this.epochBefore = epochBefore;
        }

        ReceivedRecord taken() {
            return received;
        }

        /** Returns the number of requests that wait directly for the end of this request. */
        int followers() {
            return followers.size();
        }

        /** Ignores earlier followers, so a new request may wait for more requests than necessary. */
        private boolean isFollowedByOneOf(Set<Queued> others) {
            return !followers.isEmpty() && others.contains(followers.getLast());
        }
    }

    /** The requests that have not ended. */
    private final SequencedSet<Queued> window = new LinkedHashSet<>();

    /** The requests that may begin. Requests that became ready at the same time are in the order of their offsets. */
    private final Turns<Queued> ready = new Turns<>();

    private final ConflictIndex<Queued> conflicts = new ConflictIndex<>();

    /** The namespaces of the requests whose footprints are not known yet. */
    private final Set<String> unknowns = new HashSet<>();

    /** The number of requests whose processing has not begun. */
    private int waiting;

    /** The records that an earlier owner of the partition has ended. */
    private final EndedRecords before;

    private long ended;

    private OptionalLong afterLast = OptionalLong.empty();

    /** The leader epoch of the last received record. */
    private Optional<Integer> lastEpoch = Optional.empty();

    private long bytes;

    /** @param before the records that an earlier owner of the partition has ended */
    PartitionQueue(EndedRecords before) {
        this.before = before;
    }

    /** Skips the next record of the partition if an earlier owner has ended it. Returns whether it did. */
    boolean skip(ConsumerRecord<byte[], byte[]> message) {
        if (!before.contains(message)) {
            return false;
        }
        lastEpoch = message.leaderEpoch();
        afterLast = OptionalLong.of(message.offset() + 1);
        return true;
    }

    /** Adds the next record of the partition at the end of the queue. */
    void add(ReceivedRecord received, Footprint footprint) {
        Queued queued = new Queued(received, footprint, lastEpoch);
        lastEpoch = received.message().leaderEpoch();
        follow(queued);
        window.add(queued);
        afterLast = OptionalLong.of(received.message().offset() + 1);
        bytes += received.bytes();
        waiting++;
        if (queued.awaited == 0) {
            ready.add(queued.received.namespace(), queued);
        }
        if (footprint instanceof Footprint.Unknown unknown) {
            unknowns.add(unknown.namespace());
        }
    }

    /** If an earlier request already waits for another one, the new request waits only for the later of the two. */
    private void follow(Queued queued) {
        Set<Queued> before = conflicts.add(queued, queued.footprint);
        for (Queued earlier : before) {
            if (!earlier.isFollowedByOneOf(before)) {
                earlier.followers.add(queued);
                queued.awaited++;
            }
        }
    }

    /**
     * Computes the footprints that were unknown when their records arrived. With the computed footprints, requests that
     * have not begun may wait for fewer requests.
     *
     * @param known the function that returns the definition of a namespace without a request to a server
     */
    void learn(Function<String, Optional<Namespace>> known) {
        if (!unknowns.removeIf(name -> known.apply(name).isPresent())) {
            return;
        }
        ready.clear();
        conflicts.clear();
        for (Queued queued : window) {
            if (queued.footprint instanceof Footprint.Unknown) {
                queued.footprint = queued.received.footprint(known);
            }
            queued.followers.clear();
            if (!queued.begun) {
                queued.awaited = 0;
                follow(queued);
                if (queued.awaited == 0) {
                    ready.add(queued.received.namespace(), queued);
                }
            } else {
                var unused = conflicts.add(queued, queued.footprint);
            }
        }
    }

    /**
     * Removes and returns the next request that may begin. The caller processes the request, or adds the request to the
     * {@link DependencyQueue}.
     *
     * @param mayBegin whether another request of a namespace may begin
     */
    Optional<Queued> begin(Predicate<String> mayBegin) {
        Optional<Queued> next = ready.next(mayBegin);
        next.ifPresent(queued -> queued.begun = true);
        return next;
    }

    /**
     * Records that a worker thread begins to process the request. Between {@link #begin} and this call, the request may
     * have waited for its predecessors.
     */
    void carry(Queued queued) {
        if (!queued.processed) {
            queued.processed = true;
            waiting--;
        }
    }

    /** Records that the request has ended. Its offset may be committed when all earlier requests have ended. */
    void end(Queued queued) {
        conflicts.remove(queued, queued.footprint);
        bytes -= queued.received.bytes();
        for (Queued follower : queued.followers) {
            follower.awaited--;
            if (follower.awaited == 0) {
                ready.add(follower.received.namespace(), follower);
            }
        }
        window.remove(queued);
        ended++;
        if (window.isEmpty()) {
            unknowns.clear();
        }
    }

    /**
     * Returns the offset of the first record that Kafka must deliver again after a crash; empty if no record was
     * received.
     */
    OptionalLong position() {
        return window.isEmpty()
                ? afterLast
                : OptionalLong.of(window.getFirst().received.message().offset());
    }

    /**
     * Returns the leader epoch of the record before {@link #position}; empty if it is unknown. A commit contains this
     * epoch. So after an unclean election of a leader, the consumer notices that the log before the committed offset
     * has changed, and does not continue behind records that it has never received.
     */
    Optional<Integer> epochBeforePosition() {
        return window.isEmpty() ? lastEpoch : window.getFirst().epochBefore;
    }

    /** Returns how many requests have ended, without the skipped records. */
    long ended() {
        return ended;
    }

    /** Returns the ended records behind {@link #position}; a commit contains them. */
    EndedRecords endedRecords() {
        List<Long> open = window.stream()
                .map(queued -> queued.received.message().offset())
                .toList();
        return afterLast.isPresent() ? before.then(open, afterLast.getAsLong(), lastEpoch) : before;
    }

    /** Returns the number of received requests that have not ended. */
    int length() {
        return window.size();
    }

    /** Returns the number of received requests whose processing has not begun. */
    int waiting() {
        return waiting;
    }

    /** Returns the total size in bytes of the values of the records whose requests have not ended. */
    long bytes() {
        return bytes;
    }
}
