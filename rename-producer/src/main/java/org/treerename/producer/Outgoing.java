package org.treerename.producer;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.treerename.lock.LockSet;
import org.treerename.rename.ParsedRequest.RenameRequest;
import org.treerename.wire.RequestCodec;

/** One request on its way to Kafka and to its end, and whom it waits for. {@link OpenRequests} guards all that changes. */
final class Outgoing {

    private final RenameRequest request;
    private final Slot slot;
    private final List<String> given;
    private final LockSet locks;
    private final long addedNanos;
    private final CompletableFuture<Void> told = new CompletableFuture<>();

    /** Requests in the same slot that it overlaps and that Kafka has not been handed yet: it would overtake them. */
    private final Set<Outgoing> unhanded = new LinkedHashSet<>();

    /** Requests that its record will name and that Kafka has not acknowledged: it would wait for what never comes. */
    private final Set<Outgoing> unacknowledged = new LinkedHashSet<>();

    /** Requests in other slots that it overlaps and that have not ended. */
    private final Set<Outgoing> overlapped = new LinkedHashSet<>();

    /** All of these, each once. */
    private final Set<Outgoing> followed = new LinkedHashSet<>();

    private final Set<Outgoing> followers = new LinkedHashSet<>();
    private boolean begun;
    private boolean handed;
    private boolean acknowledged;

    /**
     * @param given the ids that its user wants it to come after
     * @param locks none where it can only be rejected
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

    /** Ends when Kafka has acknowledged it, or exceptionally. */
    CompletableFuture<Void> told() {
        return told;
    }

    boolean isAcknowledged() {
        return acknowledged;
    }

    /** Waits for an earlier one that it overlaps, or that its user has named, if there is a need; whether there is. */
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

    /** Those that wait for it, in the order in which they came. */
    List<Outgoing> followers() {
        return List.copyOf(followers);
    }

    /** It is handed over: it waits for nobody any more, and keeps nobody in memory. Returns how many waits that ends. */
    int handOver() {
        handed = true;
        int left = followed.size();
        followed.forEach(earlier -> earlier.followers.remove(this));
        for (Set<Outgoing> waitedFor : List.of(unhanded, unacknowledged, overlapped, followed)) {
            waitedFor.clear();
        }
        return left;
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

    /** The earlier one has ended, or is given up; it is not waited for in any way. */
    void leave(Outgoing earlier) {
        unhanded.remove(earlier);
        unacknowledged.remove(earlier);
        overlapped.remove(earlier);
        followed.remove(earlier);
        earlier.followers.remove(this);
    }

    /** Whether it may be handed over, which is told once. */
    boolean begin() {
        boolean isReady =
                !begun && unhanded.isEmpty() && unacknowledged.isEmpty() && after().size() <= RequestCodec.MAX_AFTER;
        begun |= isReady;
        return isReady;
    }

    /** It will not be handed over; false if somebody is at it. */
    boolean abandon() {
        boolean isLeft = !begun;
        begun = true;
        return isLeft;
    }

    /** What its record names: what its user wants, and what it overlaps in other slots and has not ended. */
    List<String> after() {
        return Stream.concat(given.stream(), overlapped.stream().map(Outgoing::requestId))
                .distinct()
                .toList();
    }
}
