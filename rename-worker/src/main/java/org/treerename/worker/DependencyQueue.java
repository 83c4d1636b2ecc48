package org.treerename.worker;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;
import org.treerename.journal.State;
import org.treerename.journal.UnmetDependency;
import org.treerename.process.ProcessContext;
import org.treerename.runtime.Time;
import org.treerename.store.NoAnswerException;
import org.treerename.worker.DependencyCheck.Decision;
import org.treerename.worker.DependencyCheck.Patience;
import org.treerename.worker.PartitionQueue.Queued;
import org.treerename.worker.Predecessors.Standing;

/**
 * The requests that wait only for their predecessors, which they name in {@code after}. They do not use the places of
 * requests in progress. Otherwise many waiting requests could block their predecessors. A waiting request has not
 * begun: it has no journal entry and no lock, and its offset is not committed. So the queue drops the request when the
 * worker loses the partition or the process stops.
 *
 * <p>One thread adds and removes requests. Another thread checks them.
 */
final class DependencyQueue {

    /** The interval of the calls of {@link #poll} while a request waits. */
    static final Duration TICK = Duration.ofMillis(20);

    /**
     * The maximum time for which the checking thread blocks while no request waits. The end of the thread may take this
     * time as well.
     */
    static final Duration IDLE = Duration.ofMillis(500);

    /** A batch is complete when it has at least this many request ids. */
    private static final int BATCH = 500;

    private static final Duration MAX_PAUSE = Duration.ofMillis(500);
    private static final Logger log = LoggerFactory.getLogger(DependencyQueue.class);

    /** After this time, the queue checks a blocking predecessor again before the waiting request ends. */
    private static final Duration VALID = Duration.ofSeconds(1);

    /**
     * A request that may begin.
     *
     * @param unmet the predecessor because of which the request ends without an attempt; null if there is none
     */
    record Ready(
            Assignment assignment, Queued queued, @Nullable UnmetDependency unmet) {}

    private record Held(Assignment assignment, Queued queued, DependencyCheck awaiting) {}

    /** A request that may begin, and the time of this decision. */
    private record Decided(Held held, @Nullable UnmetDependency unmet, long atNanos) {}

    private final Predecessors predecessors;
    private final Time time;
    private final Patience patience;
    private final BooleanSupplier gone;
    private final Runnable onReady;

    private final Queue<Held> added = new ConcurrentLinkedQueue<>();
    private final Queue<Decided> ready = new ConcurrentLinkedQueue<>();
    private final AtomicInteger size = new AtomicInteger();
    private final Semaphore arrivals = new Semaphore(0);

    /** The waiting requests, in the order of the next check. Only the checking thread uses it. */
    private final Deque<Held> waiting = new ArrayDeque<>();

    /**
     * The waiting requests whose check fails each time, for example because an entry cannot be read. They are in a
     * separate queue, so that the checks of the other requests continue. Only the checking thread uses it.
     */
    private final Deque<Held> unreadable = new ArrayDeque<>();

    private Duration pause = Duration.ZERO;
    private long lastCheckNanos;

    /**
     * @param patience the maximum waiting times of a request
     * @param gone whether no request may begin now. This time is no waiting time, because a predecessor cannot begin
     *     either
     * @param onReady the callback after each request that may begin; the checking thread runs it
     */
    DependencyQueue(Predecessors predecessors, Time time, Patience patience, BooleanSupplier gone, Runnable onReady) {
        this.predecessors = predecessors;
        this.time = time;
        this.patience = patience;
        this.gone = gone;
        this.onReady = onReady;
    }

    void add(Assignment assignment, Queued queued) {
        ReceivedRecord received = queued.taken();
        size.incrementAndGet();
        added.add(new Held(assignment, queued, new DependencyCheck(received.requestId(), received.after())));
        arrivals.release();
    }

    /**
     * Removes the next request that may begin and returns it. An unmet dependency may have been found more than a
     * second ago. Then the request waits for another check instead, because its predecessor may have begun since.
     */
    Optional<Ready> next() {
        for (Decided next = ready.poll(); next != null; next = ready.poll()) {
            Held held = next.held();
            boolean isGivenUp = held.assignment().isGivenUp();
            if (!isGivenUp && next.unmet() != null && time.nanos() - next.atNanos() > VALID.toNanos()) {
                added.add(held);
                arrivals.release();
            } else {
                size.decrementAndGet();
                if (!isGivenUp) {
                    return Optional.of(new Ready(held.assignment(), held.queued(), next.unmet()));
                }
            }
        }
        return Optional.empty();
    }

    /** Returns the number of requests in this queue: requests that wait, and requests that may begin. */
    int size() {
        return size.get();
    }

    /** Blocks until a request waits, or until the time is over. */
    void awaitSome(Duration most) {
        if (size.get() == 0) {
            try {
                var unused = arrivals.tryAcquire(most.toNanos(), TimeUnit.NANOSECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
        arrivals.drainPermits();
    }

    /** Reads the predecessors of waiting requests from the journal, if a check is due. The pauses between checks grow while nothing changes. */
    void poll() {
        for (Held next = added.poll(); next != null; next = added.poll()) {
            waiting.addFirst(next);
            pause = Duration.ZERO;
        }
        waiting.removeIf(this::forgetIfGivenUp);
        unreadable.removeIf(this::forgetIfGivenUp);
        if (gone.getAsBoolean()) {
            waiting.forEach(held -> held.awaiting().unanswered());
            unreadable.forEach(held -> held.awaiting().unanswered());
            return;
        }
        boolean isAnyWaiting = !waiting.isEmpty() || !unreadable.isEmpty();
        if (isAnyWaiting && time.nanos() - lastCheckNanos >= pause.toNanos()) {
            boolean changed = checkBatch();
            if (!unreadable.isEmpty()) {
                changed |= checkSingly(unreadable.removeFirst(), unreadable, Level.DEBUG);
            }
            lastCheckNanos = time.nanos();
            Duration longer = pause.multipliedBy(2).plus(TICK);
            pause = changed ? Duration.ZERO : longer.compareTo(MAX_PAUSE) < 0 ? longer : MAX_PAUSE;
        }
    }

    private boolean forgetIfGivenUp(Held held) {
        if (held.assignment().isGivenUp()) {
            size.decrementAndGet();
            return true;
        }
        return false;
    }

    /** Checks the next batch. Returns whether a predecessor has ended, or whether more requests wait for a check. */
    private boolean checkBatch() {
        List<Held> batch = new ArrayList<>();
        Set<String> requestIds = new LinkedHashSet<>();
        while (!waiting.isEmpty() && requestIds.size() < BATCH) {
            Held next = waiting.removeFirst();
            batch.add(next);
            requestIds.addAll(next.awaiting().asks());
        }
        boolean isMore = !waiting.isEmpty();
        Map<String, Standing> standings;
        try {
            standings = predecessors.read(requestIds);
        } catch (NoAnswerException e) {
            log.atLevel(ProcessContext.levelOf(e))
                    .log(
                            "{} requests wait for other requests; the journal does not answer: {}; checking again",
                            size(),
                            e.getMessage());
            batch.forEach(held -> held.awaiting().unanswered());
            waiting.addAll(batch);
            return false;
        } catch (RuntimeException e) {
            log.error(
                    "cannot read the predecessors of {} requests ({}); reading them one by one",
                    batch.size(),
                    e.toString());
            boolean changed = isMore;
            for (Held held : batch) {
                changed |= checkSingly(held, waiting, Level.ERROR);
            }
            return changed;
        }
        boolean changed = decide(batch, standings);
        return changed || isMore;
    }

    /**
     * Checks one request. Returns whether a predecessor has ended. If the check fails, the request continues to wait,
     * because a later check may succeed.
     *
     * @param from the queue to which the request returns if the journal does not answer
     * @param level the level of the log line if the check fails
     */
    private boolean checkSingly(Held held, Deque<Held> from, Level level) {
        Map<String, Standing> standings;
        try {
            standings = predecessors.read(held.awaiting().asks());
        } catch (NoAnswerException e) {
            log.atLevel(ProcessContext.levelOf(e))
                    .log(
                            "{} waits for other requests; the journal does not answer: {}; checking again",
                            held.queued().taken().requestId(),
                            e.getMessage());
            held.awaiting().unanswered();
            from.addLast(held);
            return false;
        } catch (RuntimeException e) {
            log.atLevel(level)
                    .setCause(e)
                    .log(
                            "cannot read the predecessors of {}; the request waits; checking again",
                            held.queued().taken().requestId());
            held.awaiting().unanswered();
            unreadable.addLast(held);
            return false;
        }
        return decide(List.of(held), standings);
    }

    private boolean decide(List<Held> batch, Map<String, Standing> standings) {
        boolean changed = false;
        long now = time.nanos();
        for (Held held : batch) {
            int before = held.awaiting().awaited();
            Decision decision = held.awaiting().looked(standings, now, patience);
            changed |= held.awaiting().awaited() < before;
            apply(held, decision);
        }
        return changed;
    }

    private void apply(Held held, Decision decision) {
        switch (decision) {
            case Decision.Go go -> letBegin(held, null);
            case Decision.Later later -> waiting.addLast(held);
            case Decision.Blocked blocked -> {
                if (isConfirmed(held.awaiting(), blocked.by())) {
                    letBegin(held, blocked.by());
                } else {
                    waiting.addLast(held);
                }
            }
        }
    }

    private void letBegin(Held held, @Nullable UnmetDependency unmet) {
        ready.add(new Decided(held, unmet, time.nanos()));
        onReady.run();
    }

    /**
     * Returns whether the journal confirms the unmet dependency. A plain read may be stale. It may find no entry
     * although an entry exists. It may also find an entry parked although the rename has continued.
     */
    private boolean isConfirmed(DependencyCheck awaiting, UnmetDependency unmet) {
        String requestId = unmet.requestId();
        try {
            boolean isConfirmed = switch (unmet.why()) {
                case UNKNOWN -> predecessors.isMissingForCertain(requestId);
                case PARKED -> predecessors.isForCertain(State.PARKED, requestId);
                case GIVEN_BACK -> predecessors.isForCertain(State.RETRY, requestId);
            };
            if (!isConfirmed) {
                awaiting.seen(requestId);
            }
            return isConfirmed;
        } catch (NoAnswerException e) {
            log.atLevel(ProcessContext.levelOf(e))
                    .log("cannot confirm that {} blocks other requests: {}; checking again", unmet, e.getMessage());
            return false;
        } catch (RuntimeException e) {
            log.warn("cannot confirm that {} blocks other requests; checking again", unmet, e);
            return false;
        }
    }
}
