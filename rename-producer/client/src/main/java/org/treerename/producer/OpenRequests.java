package org.treerename.producer;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.treerename.lock.LockIndex;
import org.treerename.lock.LockSet;
import org.treerename.request.ParsedRequest.RenameRequest;
import org.treerename.runtime.Time;

/**
 * Keeps a producer's requests without a known outcome, and the order in which these requests may be sent. This class
 * sends nothing. After a change, its methods return the requests that the caller must send to Kafka now. Any thread may
 * call this class.
 *
 * <p>Two requests that overlap are processed in the order in which they were added. If the two requests have the same
 * {@link Slot}, the log keeps their order, because the later request is not sent before the earlier request. If the two
 * requests have different slots, the record of the later request names the earlier request in {@code after}. In this
 * case, the later request is sent only after Kafka has acknowledged the earlier request. So a request waits only for
 * earlier records of the log, and two requests never wait for each other. If a request overlaps more requests than a
 * record can name, the request is not sent until enough of these requests have ended.
 *
 * <p>A record names only acknowledged requests, because Kafka has perhaps not written a request without an
 * acknowledgement. But the log may contain a request whose acknowledgement was lost. There is no order between this
 * request and the requests that were sent after the loss.
 */
final class OpenRequests {

    /**
     * The time after which a request without an outcome is treated as ended. This time is much shorter than the time
     * after which the journal may delete the entry of a request.
     */
    static final Duration FORGOTTEN_AFTER = Duration.ofDays(1);

    /**
     * The limits for one producer.
     *
     * @param open the largest number of open requests
     * @param waits the largest number of pairs in which one request waits for another request
     */
    record Limits(int open, int waits) {}

    private final Limits limits;
    private final Time time;
    private final Set<Outgoing> open = new LinkedHashSet<>();
    private final Map<String, List<Outgoing>> byId = new HashMap<>();
    private final LockIndex<Outgoing> index = new LockIndex<>();

    /** The requests that were not sent to Kafka yet. */
    private final Set<Outgoing> waiting = new LinkedHashSet<>();

    private final CompletableFuture<Void> drained = new CompletableFuture<>();
    private int waits;
    private boolean closed;

    OpenRequests(Limits limits, Time time) {
        this.limits = limits;
        this.time = time;
    }

    /**
     * Adds a request at the end of the order.
     *
     * @param locks the locks that the request needs; empty if the request can only be rejected
     * @param given the ids of the requests that must end before this request begins
     * @throws NoOutcomeException if a limit is reached or the producer is closed; the request must not be sent
     */
    synchronized Outgoing add(RenameRequest request, Slot slot, LockSet locks, List<String> given) {
        if (closed) {
            throw new NoOutcomeException("request " + request.requestId() + " was not sent: the producer is closed");
        }
        Outgoing added = new Outgoing(request, slot, List.copyOf(given), locks, time.nanos());
        Set<Outgoing> earlier = index.conflicting(locks);
        given.forEach(id -> earlier.addAll(byId.getOrDefault(id, List.of())));
        earlier.removeIf(outgoing -> outgoing.requestId().equals(added.requestId()));
        if (open.size() >= limits.open() || waits + earlier.size() > limits.waits()) {
            throw new NoOutcomeException("request " + request.requestId() + " was not sent: too many requests"
                    + " of this producer have no known outcome (requests: " + open.size()
                    + ", requests that must end before this request: " + earlier.size()
                    + "); send this request again when some of these requests have ended");
        }
        waits += (int) earlier.stream().filter(added::follow).count();
        waiting.add(added);
        open.add(added);
        byId.computeIfAbsent(added.requestId(), id -> new ArrayList<>(1)).add(added);
        index.add(added, locks);
        return added;
    }

    /**
     * Returns whether the request may be sent now. Returns true at most once for each request; the caller must then
     * send the request.
     */
    synchronized boolean begin(Outgoing added) {
        return added.begin();
    }

    /**
     * Returns the ids that the record of this request names. The caller calls this method after {@link #begin} has
     * returned true.
     */
    synchronized List<String> after(Outgoing begun) {
        return begun.after();
    }

    /** Records that the request was passed to Kafka. Returns the requests that may be sent now. */
    synchronized List<Outgoing> handed(Outgoing outgoing) {
        stopWaiting(outgoing);
        return ready(outgoing.followers(), later -> later.handedBefore(outgoing));
    }

    /** Records that Kafka has acknowledged the request. Returns the requests that may be sent now. */
    synchronized List<Outgoing> acknowledged(Outgoing outgoing) {
        outgoing.acknowledge();
        return ready(outgoing.followers(), later -> later.acknowledgedBefore(outgoing));
    }

    /**
     * Removes a request that Kafka has not acknowledged. Perhaps the log does not contain this request. Returns the
     * requests that may be sent now.
     */
    synchronized List<Outgoing> failed(Outgoing outgoing) {
        stopWaiting(outgoing);
        return remove(outgoing);
    }

    /**
     * Removes the requests with this id, because an outcome with this id was read. Another producer may have sent the
     * record of the request. Returns the requests that may be sent now.
     */
    synchronized List<Outgoing> ended(String requestId) {
        List<Outgoing> next = new ArrayList<>();
        List.copyOf(byId.getOrDefault(requestId, List.of())).forEach(outgoing -> next.addAll(remove(outgoing)));
        return next;
    }

    /** Stops accepting requests. Returns a future that completes when no request waits to be sent. */
    synchronized CompletableFuture<Void> close() {
        closed = true;
        if (waiting.isEmpty()) {
            drained.complete(null);
        }
        return drained;
    }

    /** Returns the requests that still wait to be sent. Marks these requests, so they are never sent. */
    synchronized List<Outgoing> abandoned() {
        return waiting.stream().filter(Outgoing::abandon).toList();
    }

    /**
     * Removes the acknowledged requests that are older than {@link #FORGOTTEN_AFTER}. Returns the requests that may be
     * sent now.
     */
    synchronized List<Outgoing> forgotten() {
        List<Outgoing> next = new ArrayList<>();
        long now = time.nanos();
        while (!open.isEmpty()) {
            Outgoing oldest = open.iterator().next();
            if (!oldest.isAcknowledged() || now - oldest.addedNanos() < FORGOTTEN_AFTER.toNanos()) {
                break;
            }
            next.addAll(remove(oldest));
        }
        return next;
    }

    synchronized int size() {
        return open.size();
    }

    /** Returns the number of pairs in which one request waits for another request. */
    synchronized int waits() {
        return waits;
    }

    private void stopWaiting(Outgoing outgoing) {
        waits -= outgoing.handOver();
        waiting.remove(outgoing);
        if (closed && waiting.isEmpty()) {
            drained.complete(null);
        }
    }

    private List<Outgoing> remove(Outgoing outgoing) {
        open.remove(outgoing);
        index.remove(outgoing, outgoing.locks());
        byId.computeIfPresent(outgoing.requestId(), (id, sharing) -> {
            sharing.remove(outgoing);
            return sharing.isEmpty() ? null : sharing;
        });
        List<Outgoing> followers = outgoing.followers();
        waits -= followers.size();
        return ready(followers, later -> later.leave(outgoing));
    }

    private static List<Outgoing> ready(List<Outgoing> followers, Consumer<Outgoing> change) {
        followers.forEach(change);
        return followers.stream().filter(Outgoing::begin).toList();
    }
}
