package org.treerename.worker;

import java.time.Duration;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.treerename.journal.UnmetDependency;
import org.treerename.runtime.Time;
import org.treerename.worker.DependencyCheck.Patience;
import org.treerename.worker.DependencyChecks.Held;
import org.treerename.worker.PartitionQueue.Queued;

/**
 * Keeps the requests that wait only for their predecessors. A request names its predecessors in {@code after}. The
 * waiting requests do not count as requests in progress. Otherwise many waiting requests could block their
 * predecessors. A waiting request has not begun: it has no journal entry and no lock, and its offset is not committed.
 * So the queue drops the request when the worker loses the partition or the process stops.
 *
 * <p>One thread adds and removes requests. Another thread checks the waiting requests ({@link DependencyChecks}).
 */
final class DependencyQueue {

    /** The interval between calls of {@link #poll} while a request waits. */
    static final Duration TICK = Duration.ofMillis(20);

    /**
     * The maximum time for which the checking thread blocks while no request waits. When the worker stops, the thread
     * may need this time to end.
     */
    static final Duration IDLE = Duration.ofMillis(500);

    /** After this time, an unmet dependency is checked again before its request ends without an attempt. */
    private static final Duration VALID = Duration.ofSeconds(1);

    /**
     * A request that may begin. If {@code unmet} is not null, the request ends without an attempt.
     *
     * @param unmet the predecessor that did not end in time; null if there is none
     */
    record Ready(
            Assignment assignment, Queued queued, @Nullable UnmetDependency unmet) {}

    /** A request that may leave the queue, and the time at which the queue found this. */
    private record Decided(Held held, @Nullable UnmetDependency unmet, long atNanos) {}

    private final DependencyChecks checks;
    private final Time time;
    private final BooleanSupplier gone;

    private final Queue<Held> added = new ConcurrentLinkedQueue<>();
    private final Queue<Decided> ready = new ConcurrentLinkedQueue<>();

    /** The requests that may begin, after the thread of the loop has taken them from {@link #ready}. */
    private final Turns<Decided> turns = new Turns<>();

    private final AtomicInteger size = new AtomicInteger();
    private final Semaphore arrivals = new Semaphore(0);

    /**
     * @param patience the maximum waiting times of a request
     * @param gone whether no request may begin now. While this is true, no predecessor can begin either, so the waiting
     *     time of a request does not grow
     * @param onReady the callback that the checking thread runs when a request may begin
     */
    DependencyQueue(Predecessors predecessors, Time time, Patience patience, BooleanSupplier gone, Runnable onReady) {
        this.time = time;
        this.gone = gone;
        this.checks = new DependencyChecks(predecessors, time, patience, new DependencyChecks.Results() {

            @Override
            public void mayBegin(Held held, @Nullable UnmetDependency unmet) {
                ready.add(new Decided(held, unmet, time.nanos()));
                onReady.run();
            }

            @Override
            public void givenUp(Held held) {
                size.decrementAndGet();
            }
        });
    }

    void add(Assignment assignment, Queued queued) {
        ReceivedRecord received = queued.taken();
        size.incrementAndGet();
        added.add(new Held(assignment, queued, new DependencyCheck(received.requestId(), received.after())));
        arrivals.release();
    }

    /**
     * Removes and returns the next request that may begin. This method does not return a request whose unmet dependency
     * was found more than a second ago, because the predecessor may have begun in this second. Such a request waits for
     * another check.
     *
     * @param mayBegin whether another request of a namespace may begin
     */
    Optional<Ready> next(Predicate<String> mayBegin) {
        for (Decided next = ready.poll(); next != null; next = ready.poll()) {
            turns.add(next.held().queued().taken().namespace(), next);
        }
        for (Optional<Decided> next = turns.next(mayBegin); next.isPresent(); next = turns.next(mayBegin)) {
            Decided decided = next.get();
            Held held = decided.held();
            boolean isGivenUp = held.assignment().isGivenUp();
            if (!isGivenUp && decided.unmet() != null && time.nanos() - decided.atNanos() > VALID.toNanos()) {
                added.add(held);
                arrivals.release();
            } else {
                size.decrementAndGet();
                if (!isGivenUp) {
                    return Optional.of(new Ready(held.assignment(), held.queued(), decided.unmet()));
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

    /** Checks waiting requests, if a check is due. */
    void poll() {
        for (Held next = added.poll(); next != null; next = added.poll()) {
            checks.add(next);
        }
        checks.poll(gone.getAsBoolean());
    }
}
