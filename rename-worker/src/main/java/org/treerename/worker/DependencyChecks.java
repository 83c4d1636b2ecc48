package org.treerename.worker;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
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
import org.treerename.worker.Predecessors.Progress;

/**
 * Reads the predecessors of the waiting requests from the journal, many predecessors in one read. Reports each request
 * that may begin, and each request that the worker drops. Only the checking thread of the {@link DependencyQueue} calls
 * this class.
 */
final class DependencyChecks {

    /** The number of request ids at which a batch is complete. */
    private static final int BATCH = 500;

    private static final Duration MAX_PAUSE = Duration.ofMillis(500);
    private static final Logger log = LoggerFactory.getLogger(DependencyChecks.class);

    /** A request that waits for its predecessors. */
    record Held(Assignment assignment, Queued queued, DependencyCheck awaiting) {}

    /** The receiver of the results of the checks. */
    interface Results {

        /**
         * Receives a request that may begin. If {@code unmet} is not null, the request ends without an attempt.
         *
         * @param unmet the predecessor that did not end in time; null if there is none
         */
        void mayBegin(Held held, @Nullable UnmetDependency unmet);

        /** Receives a request that the worker drops, because the worker has lost the partition or stops. */
        void givenUp(Held held);
    }

    private final Predecessors predecessors;
    private final Time time;
    private final Patience patience;
    private final Results results;

    /** The waiting requests, in the order of their next checks. */
    private final Deque<Held> waiting = new ArrayDeque<>();

    /** The waiting requests whose checks fail; in a queue of their own, they do not stop the checks of the others. */
    private final Deque<Held> unreadable = new ArrayDeque<>();

    private Duration pause = Duration.ZERO;
    private long lastCheckNanos;

    /** @param patience the maximum waiting times of a request */
    DependencyChecks(Predecessors predecessors, Time time, Patience patience, Results results) {
        this.predecessors = predecessors;
        this.time = time;
        this.patience = patience;
        this.results = results;
    }

    /** Adds a request. The first check of the request is due immediately. */
    void add(Held held) {
        waiting.addFirst(held);
        pause = Duration.ZERO;
    }

    /**
     * Checks waiting requests if a check is due. The pauses between checks grow while no predecessor ends.
     *
     * @param gone whether no request may begin now
     */
    void poll(boolean gone) {
        waiting.removeIf(this::forgetIfGivenUp);
        unreadable.removeIf(this::forgetIfGivenUp);
        if (gone) {
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
            Duration longer = pause.multipliedBy(2).plus(DependencyQueue.TICK);
            pause = changed ? Duration.ZERO : longer.compareTo(MAX_PAUSE) < 0 ? longer : MAX_PAUSE;
        }
    }

    private boolean forgetIfGivenUp(Held held) {
        if (held.assignment().isGivenUp()) {
            results.givenUp(held);
            return true;
        }
        return false;
    }

    /** Checks the next batch. Returns true if a predecessor has ended, or if requests outside the batch wait. */
    private boolean checkBatch() {
        List<Held> batch = new ArrayList<>();
        Set<String> requestIds = new LinkedHashSet<>();
        while (!waiting.isEmpty() && requestIds.size() < BATCH) {
            Held next = waiting.removeFirst();
            batch.add(next);
            requestIds.addAll(next.awaiting().asks());
        }
        boolean isMore = !waiting.isEmpty();
        Map<String, Progress> progress;
        try {
            progress = predecessors.read(requestIds);
        } catch (NoAnswerException e) {
            log.atLevel(ProcessContext.levelOf(e))
                    .log(
                            "requests that wait for predecessors: {}; the journal does not answer: {}; checking again",
                            waiting.size() + unreadable.size() + batch.size(),
                            e.getMessage());
            batch.forEach(held -> held.awaiting().unanswered());
            waiting.addAll(batch);
            return false;
        } catch (RuntimeException e) {
            log.error(
                    "cannot read the predecessors of a batch (requests: {}): {}; reading the predecessors of each"
                            + " request separately",
                    batch.size(),
                    e.toString());
            boolean changed = isMore;
            for (Held held : batch) {
                changed |= checkSingly(held, waiting, Level.ERROR);
            }
            return changed;
        }
        boolean changed = decide(batch, progress);
        return changed || isMore;
    }

    /** Returns whether a predecessor has ended. After a failed check, the request continues to wait. */
    private boolean checkSingly(Held held, Deque<Held> from, Level level) {
        Map<String, Progress> progress;
        try {
            progress = predecessors.read(held.awaiting().asks());
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
                            "cannot read the predecessors of request {}; the request waits; checking again",
                            held.queued().taken().requestId());
            held.awaiting().unanswered();
            unreadable.addLast(held);
            return false;
        }
        return decide(List.of(held), progress);
    }

    private boolean decide(List<Held> batch, Map<String, Progress> progress) {
        boolean changed = false;
        long now = time.nanos();
        for (Held held : batch) {
            int before = held.awaiting().awaited();
            Decision decision = held.awaiting().looked(progress, now, patience);
            changed |= held.awaiting().awaited() < before;
            apply(held, decision);
        }
        return changed;
    }

    private void apply(Held held, Decision decision) {
        switch (decision) {
            case Decision.Go go -> results.mayBegin(held, null);
            case Decision.Later later -> waiting.addLast(held);
            case Decision.Blocked blocked -> {
                if (isConfirmed(held.awaiting(), blocked.by())) {
                    results.mayBegin(held, blocked.by());
                } else {
                    waiting.addLast(held);
                }
            }
        }
    }

    /** The plain read of a check may be stale: it may miss an entry, or find a parked rename that has continued. */
    private boolean isConfirmed(DependencyCheck awaiting, UnmetDependency unmet) {
        String requestId = unmet.requestId();
        try {
            boolean isConfirmed = switch (unmet.why()) {
                case UNKNOWN -> predecessors.isMissingForCertain(requestId);
                case PARKED -> predecessors.isForCertain(State.PARKED, requestId);
                case RELEASED -> predecessors.isForCertain(State.RETRY, requestId);
            };
            if (!isConfirmed) {
                awaiting.seen(requestId);
            }
            return isConfirmed;
        } catch (NoAnswerException e) {
            log.atLevel(ProcessContext.levelOf(e))
                    .log(
                            "cannot check whether predecessor {} blocks requests: {}; checking again",
                            unmet,
                            e.getMessage());
            return false;
        } catch (RuntimeException e) {
            log.warn("cannot check whether predecessor {} blocks requests; checking again", unmet, e);
            return false;
        }
    }
}
