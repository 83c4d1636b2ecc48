package org.treerename.producer;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.treerename.kafka.RequestCodec;
import org.treerename.lock.LockSet;
import org.treerename.request.ParsedRequest.RenameRequest;

/** A request that has not ended, and the requests that it waits for. {@link OpenRequests} guards all mutable fields. */
final class Outgoing {

    private final RenameRequest request;
    private final Slot slot;
    private final List<String> given;
    private final LockSet locks;
    private final long addedNanos;
    private final CompletableFuture<Void> acknowledgement = new CompletableFuture<>();

    /** The earlier requests in the same slot that were not sent to Kafka yet. */
    private final Set<Outgoing> unhanded = new LinkedHashSet<>();

    /**
     * The requests that the record will name. This request is not sent before Kafka has acknowledged them. Otherwise,
     * it could wait for a request that is never written to the log.
     */
    private final Set<Outgoing> unacknowledged = new LinkedHashSet<>();

    /** The earlier requests in other slots that must end before this request begins. */
    private final Set<Outgoing> overlapped = new LinkedHashSet<>();

    /** The union of {@link #unhanded}, {@link #unacknowledged} and {@link #overlapped}. */
    private final Set<Outgoing> followed = new LinkedHashSet<>();

    private final Set<Outgoing> followers = new LinkedHashSet<>();
    private boolean begun;
    private boolean handed;
    private boolean acknowledged;

    /**
     * @param given the ids of the requests that must end before this request begins
     * @param locks the locks that the request needs; empty if the request can only be rejected
     */
    Outgoing(RenameRequest request, Slot slot, List<String> given, LockSet locks, long addedNanos) {
        this.request = request;
        this.slot = slot;
        this.given = given;
        this.locks = locks;
        this.addedNanos = addedNanos;
    }

    RenameRequest request() {
        return request;
    }

    String requestId() {
        return request.requestId();
    }

    Slot slot() {
        return slot;
    }

    LockSet locks() {
        return locks;
    }

    long addedNanos() {
        return addedNanos;
    }

    /**
     * Returns a future that completes when Kafka has acknowledged the request. The future fails if the request was not
     * acknowledged.
     */
    CompletableFuture<Void> reported() {
        return acknowledgement;
    }

    boolean isAcknowledged() {
        return acknowledged;
    }

    /**
     * Makes this request wait for an earlier request, if the order of the two requests requires the wait. The caller
     * has checked that the two requests overlap, or that this request names the id of the earlier request. Returns
     * whether a wait was added.
     */
    boolean follow(Outgoing earlier) {
        boolean isNamed = given.contains(earlier.requestId());
        boolean isInAnotherSlot = !earlier.slot.equals(slot);
        if (!isInAnotherSlot && !earlier.handed) {
            unhanded.add(earlier);
            followed.add(earlier);
        }
        if (isInAnotherSlot) {
            overlapped.add(earlier);
            followed.add(earlier);
        }
        if ((isInAnotherSlot || isNamed) && !earlier.acknowledged) {
            unacknowledged.add(earlier);
            followed.add(earlier);
        }
        return followed.contains(earlier) && earlier.followers.add(this);
    }

    /** Returns the requests that wait for this request, in the order in which they were added. */
    List<Outgoing> followers() {
        return List.copyOf(followers);
    }

    /**
     * Records that the request was passed to Kafka. Removes all waits of this request, so that this request keeps no
     * earlier request in memory. Returns the number of removed waits.
     */
    int handOver() {
        handed = true;
        int waits = followed.size();
        followed.forEach(earlier -> earlier.followers.remove(this));
        for (Set<Outgoing> waitedFor : List.of(unhanded, unacknowledged, overlapped, followed)) {
            waitedFor.clear();
        }
        return waits;
    }

    void acknowledge() {
        acknowledged = true;
    }

    void handedBefore(Outgoing earlier) {
        unhanded.remove(earlier);
    }

    void acknowledgedBefore(Outgoing earlier) {
        unacknowledged.remove(earlier);
    }

    /** Removes the wait for an earlier request. The earlier request has ended, or is treated as ended. */
    void leave(Outgoing earlier) {
        unhanded.remove(earlier);
        unacknowledged.remove(earlier);
        overlapped.remove(earlier);
        followed.remove(earlier);
        earlier.followers.remove(this);
    }

    /** Returns whether the request may be sent now. Returns true at most once. */
    boolean begin() {
        boolean isReady =
                !begun && unhanded.isEmpty() && unacknowledged.isEmpty() && after().size() <= RequestCodec.MAX_AFTER;
        begun |= isReady;
        return isReady;
    }

    /**
     * Prevents the sending of this request: {@link #begin} returns false from now on. Returns false if another thread
     * has begun to send the request.
     */
    boolean abandon() {
        boolean isUnsent = !begun;
        begun = true;
        return isUnsent;
    }

    /**
     * Returns the ids of the requests that the record of this request names: the ids from the caller, and the ids of
     * {@link #overlapped}.
     */
    List<String> after() {
        return Stream.concat(given.stream(), overlapped.stream().map(Outgoing::requestId))
                .distinct()
                .toList();
    }
}
