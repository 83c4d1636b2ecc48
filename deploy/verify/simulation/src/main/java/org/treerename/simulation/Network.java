package org.treerename.simulation;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.treerename.journal.JournalEntry;
import org.treerename.simulation.elasticsearch.Cluster;
import org.treerename.simulation.elasticsearch.Request;
import org.treerename.simulation.elasticsearch.Sender;
import org.treerename.simulation.elasticsearch.View;
import org.treerename.simulation.elasticsearch.Wire;
import org.treerename.simulation.schedule.Actor;
import org.treerename.simulation.schedule.Scheduler;
import org.treerename.store.NoAnswerException;
import org.treerename.store.RefusedException;

/**
 * Transports requests to the simulated Elasticsearch, and answers to their senders. Simulates the faults of networks
 * and servers: delays, losses, late arrivals, partial executions and double executions.
 */
final class Network {

    private static final long FASTEST_NANOS = 500_000;
    private static final long FAST_NANOS = 15_000_000;
    private static final long SLOW_NANOS = 400_000_000;
    private static final double PAUSE_BETWEEN_ITEMS = 0.3;

    /** The share of searches at a cut-off node that use the copies of this node, and not the primaries. */
    private static final double SEARCHES_OWN = 0.85;

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

    /** Returns whether commits of offsets may be lost. */
    boolean losesCommits() {
        return !faults.equals(Faults.NONE);
    }

    /** Drops all requests that have not arrived yet. */
    void close() {
        closed = true;
    }

    /** Executes each queued request after a random delay, which is at most this duration. */
    void hurry(long untilNanos) {
        List<Runnable> late = List.copyOf(queued);
        queued.clear();
        late.forEach(begin -> stage.scheduler().after(stage.chance().between(0, untilNanos), begin));
    }

    /** Delays the next request of an actor in the queue of a server. */
    void queueNext(Actor actor) {
        queueNext.add(actor);
    }

    /**
     * Runs an event after the node of an actor has compared its copies with the master's, and before the actor receives
     * the answer.
     */
    void afterComparison(Actor actor, Runnable event) {
        afterComparison.put(actor, event);
    }

    void heal() {
        cutOff.clear();
    }

    /** Returns the wire of an actor. A request without an answer fails after the timeout. */
    Wire wire(Actor actor, Duration timeout) {
        return wire(actor, timeout, () -> faults);
    }

    /** Returns the wire of an actor whose requests have delays, but no faults. */
    Wire quietWire(Actor actor, Duration timeout) {
        return wire(actor, timeout, () -> Faults.NONE);
    }

    private Wire wire(Actor actor, Duration timeout, Supplier<Faults> present) {
        return new Wire() {
            @Override
            public <T> T ask(Request<T> request) {
                return new Call<>(actor, timeout.toNanos(), request, present.get()).made();
            }

            @Override
            public <T> Pending<T> begin(Request<T> request) {
                return new Call<>(actor, timeout.toNanos(), request, present.get()).begun();
            }

            @Override
            public void carries(JournalEntry entry) {
                stage.scheduler().current().attach(entry);
            }
        };
    }

    /** The call of one request. */
    private final class Call<T> implements Wire.Pending<T> {
        private final Actor actor;
        private final long timeoutNanos;
        private final Request<T> request;
        private final Sender sender;
        private final Faults faults;
        private @Nullable Runnable waiting;
        private long deadlineNanos;
        private @Nullable List<@Nullable Object> results;
        private @Nullable RuntimeException failure;

        /** The waker of the task that waits for the answer of an asynchronous call. */
        private @Nullable Runnable awaiting;

        private boolean hasEnded;

        Call(Actor actor, long timeoutNanos, Request<T> request, Faults faults) {
            this.faults = faults;
            this.actor = actor;
            this.timeoutNanos = timeoutNanos;
            this.request = request;
            this.sender = new Sender(
                    actor.name(), (JournalEntry) stage.scheduler().alive().attachment());
        }

        T made() {
            Scheduler scheduler = stage.scheduler();
            scheduler.suspend(wake -> {
                waiting = wake;
                deadlineNanos = scheduler.nowNanos() + timeoutNanos;
                send();
            });
            if (failure != null) {
                throw failure;
            }
            return request.answer().apply(Objects.requireNonNull(results));
        }

        /** Sends the request, and returns before there is an answer. */
        Wire.Pending<T> begun() {
            waiting = this::end;
            deadlineNanos = stage.scheduler().nowNanos() + timeoutNanos;
            send();
            return this;
        }

        private void end() {
            hasEnded = true;
            Runnable wake = awaiting;
            if (wake != null) {
                wake.run();
            }
        }

        @Override
        public boolean hasEnded() {
            return hasEnded;
        }

        @Override
        public T answer() {
            while (!hasEnded) {
                stage.scheduler().suspend(wake -> awaiting = wake);
            }
            if (failure != null) {
                throw failure;
            }
            return request.answer().apply(Objects.requireNonNull(results));
        }

        private void send() {
            if (stage.chance().happens(faults.lostRequest())) {
                stage.happened(
                        Happening.LOST_REQUEST,
                        actor.name(),
                        () -> "loses the request: " + request.what().get());
                expire();
                return;
            }
            boolean late = queueNext.remove(actor) || stage.chance().happens(faults.late());
            long delay = late ? stage.chance().between(timeoutNanos / 2, Faults.LATEST.toNanos()) : latency();
            boolean twice = stage.chance().happens(faults.twice());
            if (late || twice || delay > FAST_NANOS || (request.items().size() > 1 && faults.slow() > 0)) {
                expire();
            }
            boolean answeredByFirst = !twice || stage.chance().happens(0.5);
            Execution first = new Execution(answeredByFirst);
            if (late) {
                queued.add(first::arrive);
            }
            stage.scheduler().afterWithoutKill(delay, first::begin);
            if (twice) {
                long again = stage.chance().happens(0.5)
                        ? latency()
                        : stage.chance().between(0, Faults.LATEST.toNanos() / 2);
                stage.happened(
                        Happening.SENT_TWICE,
                        actor.name(),
                        () -> "sends a request twice: " + request.what().get());
                stage.scheduler().afterWithoutKill(delay + again, new Execution(!answeredByFirst)::begin);
            }
        }

        private long latency() {
            return stage.chance().happens(faults.slow())
                    ? stage.chance().between(FAST_NANOS, SLOW_NANOS)
                    : stage.chance().between(FASTEST_NANOS, FAST_NANOS);
        }

        /** Plans the timeout of the call. A call without a planned timeout always gets its answer in time. */
        private void expire() {
            stage.scheduler().afterWithoutKill(deadlineNanos - stage.scheduler().nowNanos(), this::giveUp);
        }

        private void giveUp() {
            if (waiting != null) {
                answer(
                        null,
                        new NoAnswerException("no answer to: " + request.what().get(), null));
            }
        }

        private void answer(@Nullable List<@Nullable Object> answered, @Nullable RuntimeException failed) {
            Runnable wake = waiting;
            if (wake != null) {
                waiting = null;
                results = answered;
                failure = failed;
                wake.run();
            }
        }

        /** One execution of the request, item by item. Items of other requests may run between them. */
        private final class Execution {
            private final boolean answering;
            private final List<@Nullable Object> done = new ArrayList<>();
            private final int length;
            private @Nullable View view;
            private boolean meets;
            private @Nullable RuntimeException refusal;

            Execution(boolean answering) {
                this.answering = answering;
                int items = request.items().size();
                this.length = items > 1 && stage.chance().happens(faults.prefix())
                        ? stage.chance().below(items)
                        : items;
            }

            void begin() {
                if (!actor.isAlive() && stage.chance().happens(faults.stays())) {
                    queued.add(this::arrive);
                    stage.scheduler()
                            .afterWithoutKill(stage.chance().between(0, Faults.LATEST.toNanos()), this::arrive);
                } else {
                    arrive();
                }
            }

            /** Begins the execution. Does nothing if the execution has begun: two events may be planned for it. */
            private void arrive() {
                if (view != null || closed) {
                    return;
                }
                int coordinator = cutOff.getOrDefault(actor, 0);
                meets = coordinator != 0 && stage.chance().happens(request.isSearch() ? SEARCHES_OWN : faults.met());
                view = new View(cluster, sender, meets ? coordinator : 0, coordinator);
                if (waiting == null) {
                    stage.arrivesLate(actor);
                }
                stage.report(
                        actor.name(),
                        () -> request.what().get()
                                + (waiting == null ? " (late)" : "")
                                + (meets ? " (at the cut-off node)" : ""));
                proceed();
            }

            private void proceed() {
                if (closed) {
                    return;
                }
                View met = Objects.requireNonNull(view);
                while (done.size() < length) {
                    done.add(applied(met, request.items().get(done.size())));
                    if (done.size() < length && stage.chance().happens(PAUSE_BETWEEN_ITEMS)) {
                        stage.scheduler().afterWithoutKill(latency(), this::proceed);
                        return;
                    }
                }
                end(met);
            }

            /**
             * Applies one item. If the item fails, the other items are still applied, and the failure is the answer to
             * the whole request.
             */
            private @Nullable Object applied(View met, Request.Item item) {
                try {
                    if (stage.chance().happens(faults.turnedAway())) {
                        Happening how = request.isSearch() ? Happening.SHARD_LOST : Happening.TURNED_AWAY;
                        stage.happened(
                                how,
                                actor.name(),
                                () -> "gets a rejection of item " + done.size() + " of: "
                                        + request.what().get());
                        return item.turnedAway();
                    }
                    return item.apply(met);
                } catch (NoAnswerException | RefusedException e) {
                    refusal = e;
                    return null;
                }
            }

            private void end(View met) {
                Runnable event = met.hasCompared() ? afterComparison.remove(actor) : null;
                if (event != null) {
                    stage.scheduler().after(0, event);
                }
                if (met.isStale()) {
                    stage.happened(
                            Happening.STALE_READ,
                            actor.name(),
                            () -> "reads a stale document: " + request.what().get());
                }
                if (met.isDirty()) {
                    stage.happened(
                            Happening.DIRTY_SEARCH,
                            actor.name(),
                            () -> "misses a document that was moved only in a cut-off copy: "
                                    + request.what().get());
                }
                if (length < request.items().size()) {
                    expire();
                    stage.happened(
                            Happening.PREFIX_OF_A_BULK,
                            actor.name(),
                            () -> "executes only the first " + length + " items of: "
                                    + request.what().get());
                } else if (met.isUnacknowledged()) {
                    expire();
                    stage.happened(
                            Happening.DIRTY_WRITE,
                            actor.name(),
                            () -> "writes to a cut-off copy: " + request.what().get());
                } else if (stage.chance().happens(faults.lostAnswer())) {
                    expire();
                    stage.happened(
                            Happening.LOST_ANSWER,
                            actor.name(),
                            () -> "loses the answer to: " + request.what().get());
                } else if (answering) {
                    stage.scheduler().afterWithoutKill(latency(), () -> answer(refusal == null ? done : null, refusal));
                }
            }
        }
    }
}
