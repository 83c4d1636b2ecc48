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
import org.treerename.rename.Predecessors;
import org.treerename.rename.Predecessors.Standing;
import org.treerename.rename.ProcessContext;
import org.treerename.rename.State;
import org.treerename.rename.UnmetDependency;
import org.treerename.runtime.Time;
import org.treerename.store.NoAnswerException;
import org.treerename.worker.DependencyCheck.Decision;
import org.treerename.worker.DependencyCheck.Patience;
import org.treerename.worker.PartitionQueue.Queued;

/**
 * Requests whose turn it is in their partition and that name others in {@code after}, until those have ended. They take no
 * place of those that are carried, or many that wait could keep those out for which they wait. Nothing of them is begun:
 * no entry, no lock, and no offset is let go; so where their partition is lost, or the process stops, they are forgotten.
 *
 * <p>One thread adds and takes, another one looks.
 */
final class DependencyQueue {

    /** How often {@link #look} is to be called while something is held back. */
    static final Duration TICK = Duration.ofMillis(20);

    /** How long the thread that looks may wait for something to be held back, and its end for it. */
    static final Duration IDLE = Duration.ofMillis(500);

    /** How many requests are looked at in one go. */
    private static final int MOST = 500;

    private static final Duration LONGEST = Duration.ofMillis(500);
    private static final Logger log = LoggerFactory.getLogger(DependencyQueue.class);

    /** After this time, a predecessor that blocks is looked up again before its successor ends. */
    private static final Duration VALID = Duration.ofSeconds(1);

    /** One that may begin. */
    record Ready(
            Assignment assignment, Queued queued, @Nullable UnmetDependency unmet) {}

    private record Held(Assignment assignment, Queued queued, DependencyCheck awaiting) {}

    /** A request that may begin, and when that was decided. */
    private record Decided(Held held, @Nullable UnmetDependency unmet, long atNanos) {}

    private final Predecessors predecessors;
    private final Time time;
    private final Patience patience;
    private final BooleanSupplier gone;
    private final Runnable onFreed;

    private final Queue<Held> added = new ConcurrentLinkedQueue<>();
    private final Queue<Decided> ready = new ConcurrentLinkedQueue<>();
    private final AtomicInteger size = new AtomicInteger();
    private final Semaphore arrivals = new Semaphore(0);

    /** Of the thread that looks; whose turn it is first. */
    private final Deque<Held> held = new ArrayDeque<>();

    /** Whose look fails whenever it is taken, for one an entry that cannot be read: apart, so that the others go on. */
    private final Deque<Held> unreadable = new ArrayDeque<>();

    private Duration pause = Duration.ZERO;
    private long lookedNanos;

    /**
     * @param patience how long a request is held back
     * @param gone whether no request may begin now. A predecessor cannot begin either, so this time does not count
     * @param onFreed runs on the thread that looks after each request that may begin
     */
    DependencyQueue(Predecessors predecessors, Time time, Patience patience, BooleanSupplier gone, Runnable onFreed) {
        this.predecessors = predecessors;
        this.time = time;
        this.patience = patience;
        this.gone = gone;
        this.onFreed = onFreed;
    }

    void add(Assignment assignment, Queued queued) {
        ReceivedRecord taken = queued.taken();
        size.incrementAndGet();
        added.add(new Held(assignment, queued, new DependencyCheck(taken.requestId(), taken.after())));
        arrivals.release();
    }

    /**
     * Returns the next that may begin. A request that was blocked some time ago is held back for another look: its predecessor
     * may have begun since.
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

    /** How many are held back or wait to be taken. */
    int size() {
        return size.get();
    }

    /** Comes back when something is held back, or when that time is over. */
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

    /** Asks the journal where it is time to: after growing pauses, as long as it tells nothing new. */
    void look() {
        for (Held next = added.poll(); next != null; next = added.poll()) {
            held.addFirst(next);
            pause = Duration.ZERO;
        }
        held.removeIf(this::isForgotten);
        unreadable.removeIf(this::isForgotten);
        if (gone.getAsBoolean()) {
            held.forEach(one -> one.awaiting().unanswered());
            unreadable.forEach(one -> one.awaiting().unanswered());
            return;
        }
        boolean isAnyHeld = !held.isEmpty() || !unreadable.isEmpty();
        if (isAnyHeld && time.nanos() - lookedNanos >= pause.toNanos()) {
            boolean news = lookAtSome();
            if (!unreadable.isEmpty()) {
                news |= lookAtOne(unreadable.removeFirst(), unreadable, Level.DEBUG);
            }
            lookedNanos = time.nanos();
            Duration longer = pause.multipliedBy(2).plus(TICK);
            pause = news ? Duration.ZERO : longer.compareTo(LONGEST) < 0 ? longer : LONGEST;
        }
    }

    private boolean isForgotten(Held one) {
        if (one.assignment().isGivenUp()) {
            size.decrementAndGet();
            return true;
        }
        return false;
    }

    /** Whether it has told anything new, or there is more to look at. */
    private boolean lookAtSome() {
        List<Held> some = new ArrayList<>();
        Set<String> asked = new LinkedHashSet<>();
        while (!held.isEmpty() && asked.size() < MOST) {
            Held next = held.removeFirst();
            some.add(next);
            asked.addAll(next.awaiting().asks());
        }
        boolean isMore = !held.isEmpty();
        Map<String, Standing> standings;
        try {
            standings = predecessors.look(asked);
        } catch (NoAnswerException e) {
            log.atLevel(ProcessContext.levelOf(e))
                    .log("{} requests wait for others, of which the journal tells nothing: {}", size(), e.getMessage());
            some.forEach(one -> one.awaiting().unanswered());
            held.addAll(some);
            return false;
        } catch (RuntimeException e) {
            log.error("a look for {} requests that wait failed ({}): one for each", some.size(), e.toString());
            boolean news = isMore;
            for (Held one : some) {
                news |= lookAtOne(one, held, Level.ERROR);
            }
            return news;
        }
        boolean news = decide(some, standings);
        return news || isMore;
    }

    /**
     * Whether it has told anything new. One whose look fails waits on: it may be read some day, or be answered by others.
     *
     * @param from where it waits on if there is no answer
     */
    private boolean lookAtOne(Held one, Deque<Held> from, Level level) {
        Map<String, Standing> standings;
        try {
            standings = predecessors.look(one.awaiting().asks());
        } catch (NoAnswerException e) {
            log.atLevel(ProcessContext.levelOf(e))
                    .log(
                            "{} waits for others, of which the journal tells nothing: {}",
                            one.queued().taken().requestId(),
                            e.getMessage());
            one.awaiting().unanswered();
            from.addLast(one);
            return false;
        } catch (RuntimeException e) {
            log.atLevel(level)
                    .setCause(e)
                    .log(
                            "{} waits, and nobody can tell whether it may begin",
                            one.queued().taken().requestId());
            one.awaiting().unanswered();
            unreadable.addLast(one);
            return false;
        }
        return decide(List.of(one), standings);
    }

    private boolean decide(List<Held> looked, Map<String, Standing> standings) {
        boolean news = false;
        long now = time.nanos();
        for (Held one : looked) {
            int before = one.awaiting().awaited();
            Decision decision = one.awaiting().looked(standings, now, patience);
            news |= one.awaiting().awaited() < before;
            take(one, decision);
        }
        return news;
    }

    private void take(Held one, Decision decision) {
        switch (decision) {
            case Decision.Go go -> free(one, null);
            case Decision.Later later -> held.addLast(one);
            case Decision.Blocked blocked -> {
                if (isCertain(one.awaiting(), blocked.by())) {
                    free(one, blocked.by());
                } else {
                    held.addLast(one);
                }
            }
        }
    }

    private void free(Held one, @Nullable UnmetDependency unmet) {
        ready.add(new Decided(one, unmet, time.nanos()));
        onFreed.run();
    }

    /** A read may show what was: no entry although there is one, or a parked one that goes on. */
    private boolean isCertain(DependencyCheck awaiting, UnmetDependency unmet) {
        String requestId = unmet.requestId();
        try {
            boolean isCertain = switch (unmet.why()) {
                case UNKNOWN -> predecessors.isMissingForCertain(requestId);
                case PARKED -> predecessors.isForCertain(State.PARKED, requestId);
                case GIVEN_BACK -> predecessors.isForCertain(State.RETRY, requestId);
            };
            if (!isCertain) {
                awaiting.seen(requestId);
            }
            return isCertain;
        } catch (NoAnswerException e) {
            log.atLevel(ProcessContext.levelOf(e))
                    .log("whether {} blocks others is not known: {}", unmet, e.getMessage());
            return false;
        } catch (RuntimeException e) {
            log.warn("whether {} blocks others is not known", unmet, e);
            return false;
        }
    }
}
