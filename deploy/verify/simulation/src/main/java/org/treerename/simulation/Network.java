package org.treerename.simulation;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.treerename.journal.JournalEntry;
import org.treerename.simulation.elasticsearch.Cluster;
import org.treerename.simulation.elasticsearch.Request;
import org.treerename.simulation.elasticsearch.Wire;
import org.treerename.simulation.schedule.Actor;

/**
 * Transports requests to the simulated Elasticsearch, and answers to their senders. Simulates the faults of networks
 * and servers: delays, losses, late arrivals, partial executions and double executions.
 */
final class Network {

    /** The longest transport time of a request or an answer that is not slow. */
    static final long FAST_NANOS = 15_000_000;

    private static final long FASTEST_NANOS = 500_000;
    private static final long SLOW_NANOS = 400_000_000;

    /** The share of requests that a node with an old cluster state answers, if any node may answer. */
    private static final double OLD = 0.4;

    private final Stage stage;
    private final Cluster cluster;

    /** The number of the node that each cut-off actor reaches. */
    private final Map<Actor, Integer> cutOff = new HashMap<>();

    private final Set<Actor> queueNext = new HashSet<>();
    private final List<Runnable> queued = new ArrayList<>();
    private final Map<Actor, Runnable> afterComparison = new HashMap<>();
    private Faults faults;
    private boolean closed;

    Network(Stage stage, Cluster cluster, Faults faults) {
        this.stage = stage;
        this.cluster = cluster;
        this.faults = faults;
    }

    void become(Faults next) {
        faults = next;
    }

    void cutOff(Actor actor, int node) {
        cutOff.put(actor, node);
    }

    /** Returns the number of the node that an actor reaches; 0 if the actor is not cut off. */
    int nodeOf(Actor actor) {
        return cutOff.getOrDefault(actor, 0);
    }

    /**
     * Returns the number of the node that answers a request of an actor. If any node may answer, this may be a node
     * with an old cluster state.
     */
    int nodeOf(Actor actor, Request<?> request) {
        int own = nodeOf(actor);
        if (own != 0 || !request.isOfAnyNode()) {
            return own;
        }
        List<Integer> old = cluster.indices().oldNodes();
        return !old.isEmpty() && stage.chance().happens(OLD) ? stage.chance().of(old) : own;
    }

    /** Returns whether commits of offsets may be lost. */
    boolean losesCommits() {
        return !faults.equals(Faults.NONE);
    }

    /** Drops all requests that have not arrived yet. */
    void close() {
        closed = true;
    }

    boolean isClosed() {
        return closed;
    }

    /**
     * Adds a request to the queue of a node. The request arrives at its planned time, or earlier after {@link #hurry}.
     */
    void queue(Runnable arrival) {
        queued.add(arrival);
    }

    /** Executes each queued request after a random delay, which is at most this duration. */
    void hurry(long untilNanos) {
        List<Runnable> late = List.copyOf(queued);
        queued.clear();
        late.forEach(begin -> stage.scheduler().after(stage.chance().between(0, untilNanos), begin));
    }

    /** Makes the next request of an actor wait in the queue of a node. */
    void queueNext(Actor actor) {
        queueNext.add(actor);
    }

    /**
     * Returns whether the current request of an actor must wait in the queue. Later requests of the actor do not wait.
     */
    boolean takeQueueNext(Actor actor) {
        return queueNext.remove(actor);
    }

    /**
     * Schedules an event for the next search of an actor. The event runs after the node has compared its copies with
     * the copies that the master lists. At this moment, the actor has not received the answer.
     */
    void afterComparison(Actor actor, Runnable event) {
        afterComparison.put(actor, event);
    }

    /** Runs the event that {@link #afterComparison} has planned for an actor, if there is one. */
    void compared(Actor actor) {
        Runnable event = afterComparison.remove(actor);
        if (event != null) {
            stage.scheduler().after(0, event);
        }
    }

    void heal() {
        cutOff.clear();
    }

    Stage stage() {
        return stage;
    }

    Cluster cluster() {
        return cluster;
    }

    /** Returns a random time for the transport of a request or an answer. */
    long latency(Faults present) {
        return stage.chance().happens(present.slow())
                ? stage.chance().between(FAST_NANOS, SLOW_NANOS)
                : stage.chance().between(FASTEST_NANOS, FAST_NANOS);
    }

    /** Returns the wire through which an actor sends requests. A request without an answer fails after the timeout. */
    Wire wire(Actor actor, Duration timeout) {
        return wire(actor, timeout, () -> faults);
    }

    /** Returns a wire on which the requests of an actor have delays, but no faults. */
    Wire quietWire(Actor actor, Duration timeout) {
        return wire(actor, timeout, () -> Faults.NONE);
    }

    private Wire wire(Actor actor, Duration timeout, Supplier<Faults> present) {
        return new Wire() {
            @Override
            public <T> T ask(Request<T> request) {
                return call(request).made();
            }

            @Override
            public <T> Pending<T> begin(Request<T> request) {
                return call(request).begun();
            }

            private <T> Call<T> call(Request<T> request) {
                return new Call<>(Network.this, actor, timeout.toNanos(), request, present.get());
            }

            @Override
            public void processes(JournalEntry entry) {
                stage.scheduler().current().attach(entry);
            }
        };
    }
}
