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
import org.treerename.rename.ParsedRequest.RenameRequest;
import org.treerename.runtime.Time;

/**
 * The requests of one producer that have not ended, as far as it knows, and in which order they may go. Bookkeeping only:
 * each call tells what is to be handed to Kafka now. Any thread may call it.
 *
 * <p>Two requests that overlap are carried out in the order in which they were added. In the same slot the log keeps that
 * order, and the later one is not handed over before the earlier one. In different slots the later one's record names the
 * earlier one, and it is handed over only when Kafka has acknowledged that one: so whoever waits, waits for a record that was
 * in the log before its own, and no two ever wait for each other. Where it overlaps more than a record can name it waits until
 * enough of them have ended.
 *
 * <p>An earlier one that Kafka did not acknowledge is not named, for nobody knows whether it will ever come; it may be in the
 * log all the same, and is then in no order with those that were sent after the failure was told.
 */
final class OpenRequests {

    /**
     * An outcome that was not heard of for so long will not be: the request counts as ended, well before the journal may have
     * forgotten it.
     */
    static final Duration FORGOTTEN_AFTER = Duration.ofDays(1);

    /** How many may be open, and how often one may wait for another. */
    record Limits(int open, int waits) {}

    private final Limits limits;
    private final Time time;

    /** In the order in which they were added. */
    private final Set<Outgoing> open = new LinkedHashSet<>();

    private final Map<String, List<Outgoing>> byId = new HashMap<>();
    private final LockIndex<Outgoing> index = new LockIndex<>();

    /** Those that Kafka has not been handed. */
    private final Set<Outgoing> waiting = new LinkedHashSet<>();

    private final CompletableFuture<Void> drained = new CompletableFuture<>();
    private int waits;
    private boolean closed;

    OpenRequests(Limits limits, Time time) {
        this.limits = limits;
        this.time = time;
    }

    /**
     * Adds one behind all that there are.
     *
     * @param locks that it needs; none where it can only be rejected
     * @param given the ids of others that its user wants it to come after
     * @throws NoOutcomeException if it cannot be kept, and so must not be sent
     */
    synchronized Outgoing add(RenameRequest request, Slot slot, LockSet locks, List<String> given) {
        if (closed) {
            throw new NoOutcomeException("request " + request.requestId() + " was not sent: the producer is closed");
        }
        Outgoing added = new Outgoing(request, slot, List.copyOf(given), locks, time.nanos());
        Set<Outgoing> earlier = index.conflicting(locks);
        given.forEach(id -> earlier.addAll(byId.getOrDefault(id, List.of())));
        earlier.removeIf(one -> one.requestId().equals(added.requestId()));
        if (open.size() >= limits.open() || waits + earlier.size() > limits.waits()) {
            throw new NoOutcomeException("request " + request.requestId() + " was not sent: of " + open.size()
                    + " requests of this producer no end is known, " + earlier.size()
                    + " of them to end before it; send again when some have ended");
        }
        waits += (int) earlier.stream().filter(added::follow).count();
        waiting.add(added);
        open.add(added);
        byId.computeIfAbsent(added.requestId(), id -> new ArrayList<>(1)).add(added);
        index.add(added, locks);
        return added;
    }

    /** Whether it may be handed over now; if so the caller does it. */
    synchronized boolean begin(Outgoing added) {
        return added.begin();
    }

    /** What its record is to name, once it may be handed over. */
    synchronized List<String> after(Outgoing begun) {
        return begun.after();
    }

    /** Kafka has it; those that may be handed over thereupon. */
    synchronized List<Outgoing> handed(Outgoing one) {
        leaveQueue(one);
        return following(one.followers(), later -> later.handedBefore(one));
    }

    /** Kafka has acknowledged it; those that may be handed over thereupon. */
    synchronized List<Outgoing> acknowledged(Outgoing one) {
        one.acknowledge();
        return following(one.followers(), later -> later.acknowledgedBefore(one));
    }

    /** It is not known to be in the log; those that may be handed over thereupon. */
    synchronized List<Outgoing> failed(Outgoing one) {
        leaveQueue(one);
        return over(one);
    }

    /** A request has ended, also under somebody else's record; those that may be handed over thereupon. */
    synchronized List<Outgoing> ended(String requestId) {
        List<Outgoing> next = new ArrayList<>();
        List.copyOf(byId.getOrDefault(requestId, List.of())).forEach(one -> next.addAll(over(one)));
        return next;
    }

    /** Takes no more; ends when all have been handed over or are given up. */
    synchronized CompletableFuture<Void> close() {
        closed = true;
        if (waiting.isEmpty()) {
            drained.complete(null);
        }
        return drained;
    }

    /** Those that still wait to be handed over, which will not happen any more. */
    synchronized List<Outgoing> abandoned() {
        return waiting.stream().filter(Outgoing::abandon).toList();
    }

    /** Gives up those whose ends should have been heard of long ago; those that may be handed over thereupon. */
    synchronized List<Outgoing> forgotten() {
        List<Outgoing> next = new ArrayList<>();
        long now = time.nanos();
        while (!open.isEmpty()) {
            Outgoing eldest = open.iterator().next();
            if (!eldest.isAcknowledged() || now - eldest.addedNanos() < FORGOTTEN_AFTER.toNanos()) {
                break;
            }
            next.addAll(over(eldest));
        }
        return next;
    }

    synchronized int size() {
        return open.size();
    }

    /** How often one waits for another. */
    synchronized int waits() {
        return waits;
    }

    private void leaveQueue(Outgoing one) {
        waits -= one.handOver();
        waiting.remove(one);
        if (closed && waiting.isEmpty()) {
            drained.complete(null);
        }
    }

    private List<Outgoing> over(Outgoing one) {
        open.remove(one);
        index.remove(one, one.locks());
        byId.computeIfPresent(one.requestId(), (id, same) -> {
            same.remove(one);
            return same.isEmpty() ? null : same;
        });
        List<Outgoing> followers = one.followers();
        waits -= followers.size();
        return following(followers, later -> later.leave(one));
    }

    private static List<Outgoing> following(List<Outgoing> followers, Consumer<Outgoing> change) {
        followers.forEach(change);
        return followers.stream().filter(Outgoing::begin).toList();
    }
}
