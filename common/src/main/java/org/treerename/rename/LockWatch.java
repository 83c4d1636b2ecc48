package org.treerename.rename;

import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;
import org.treerename.lock.Hold;
import org.treerename.lock.LockMode;
import org.treerename.lock.LockPriority;
import org.treerename.lock.LockStore;
import org.treerename.lock.LockTable;
import org.treerename.lock.LockTable.Blocker;
import org.treerename.lock.Release;
import org.treerename.path.TreePath;
import org.treerename.process.FencedException;
import org.treerename.runtime.Time;
import org.treerename.runtime.Wake;
import org.treerename.store.NoAnswerException;

/**
 * Lets the refused requests of one process wait by reads: a refused request has its claim, and writes nothing more until its next attempt may
 * succeed. One of the waiting threads reads the lock tables that all of them need, every {@link #EVERY}, and applies the rule of
 * {@link LockTable}; a release by this process is applied without a read. What a read shows is only a hint: the attempt decides. Any thread may call it.
 */
final class LockWatch {

    /** Time between two reads while any request waits. */
    static final Duration EVERY = Duration.ofMillis(30);

    /** The longest pause between two reads is 64 times {@link #EVERY}. */
    private static final int MOST_DOUBLINGS = 6;

    private static final Logger log = LoggerFactory.getLogger(LockWatch.class);

    /** A request that waits. */
    private static final class Waiter {
        private final Hold hold;
        private final SortedMap<LockTable.Id, SortedMap<TreePath, LockMode>> parts;
        private final Wake wake = new Wake();
        private boolean mayAttempt;

        /** Whether a read of its tables failed unexpectedly. */
        private boolean isUnreadable;

        /** Whether a read that began after its attempt has been answered. Tables that were read earlier lack the claim of the attempt. */
        private boolean isShown;

        private boolean isAsked;

        /** Of the last read, or of the beginning. */
        private long readNanos;

        private Duration answered = Duration.ZERO;

        /** What refused it at the first read; empty before. */
        private List<Blocker> first = List.of();

        Waiter(Hold hold, SortedMap<LockTable.Id, SortedMap<TreePath, LockMode>> parts, long nowNanos) {
            this.hold = hold;
            this.parts = parts;
            this.readNanos = nowNanos;
        }

        LockPriority age() {
            return hold.age();
        }

        /**
         * Looks at its tables, if they were read since its attempt. If it may attempt, the tables are shown to the younger ones as its
         * attempt would leave them: where there is room for one more claim, one request attempts, and not all that wait for the room.
         *
         * @param stored as the read showed them
         * @param afterAttempts as the attempts of older requests would leave them
         */
        void see(Map<LockTable.Id, LockTable> stored, Map<LockTable.Id, LockTable> afterAttempts) {
            if (mayAttempt || !isShown || !stored.keySet().containsAll(parts.keySet())) {
                return;
            }
            if (GrantCheck.mayAttempt(hold, parts, afterAttempts)) {
                mayAttempt = true;
                wake.wake();
                parts.forEach(
                        (id, wanted) -> afterAttempts.computeIfPresent(id, (same, table) -> table.taken(hold, wanted)));
            } else if (first.isEmpty()) {
                first = GrantCheck.blockers(hold, parts, stored);
            }
        }

        List<Blocker> blockers(Map<LockTable.Id, LockTable> stored) {
            if (mayAttempt) {
                return first;
            }
            return stored.keySet().containsAll(parts.keySet()) ? GrantCheck.blockers(hold, parts, stored) : List.of();
        }

        boolean hasEnded() {
            return mayAttempt || isUnreadable;
        }

        void read(long nowNanos, boolean isAnswered) {
            answered = isAnswered ? answered.plusNanos(nowNanos - readNanos) : answered;
            readNanos = nowNanos;
        }
    }

    private final LockStore locks;

    /** Guarded by this, as are the fields of waiters. */
    private final Set<Waiter> waiters = new LinkedHashSet<>();

    /** The tables as the last read showed them, without what this process has released since. */
    private final Map<LockTable.Id, LockTable> tables = new HashMap<>();

    /** The waiter whose thread reads for all. */
    private @Nullable Waiter reader;

    /** When the last read began, or the first waiter came. */
    private long readNanos;

    /** Reads without an answer since the last one that was answered. */
    private int unanswered;

    /** Reads that failed unexpectedly since the last one that succeeded. */
    private int failed;

    LockWatch(LockStore locks) {
        this.locks = locks;
    }

    /**
     * Reads the tables of one request.
     *
     * @throws NoAnswerException if the store does not answer
     */
    GrantCheck check(SortedMap<LockTable.Id, SortedMap<TreePath, LockMode>> parts, Hold hold) {
        return GrantCheck.of(hold, parts, byId(locks.read(parts.keySet())));
    }

    /**
     * How a wait ended: the next attempt may succeed, a read failed, or the time is over.
     *
     * @param mayAttempt whether the next attempt may succeed
     * @param isUnreadable whether a read for several requests failed unexpectedly; a read of the tables of one request shows whether that request
     *     needs the table that cannot be read
     * @param answered how much of the time the store answered
     * @param blockers the holds and claims that refuse it, as the last read showed them or, if it may attempt, the first one; empty if no
     *     read was answered
     */
    record Waited(boolean mayAttempt, boolean isUnreadable, Duration answered, List<Blocker> blockers) {}

    /**
     * Waits until the next attempt of a refused request may succeed, until a read fails unexpectedly, until that time is over, or until the
     * process is to stop.
     */
    Waited await(
            ProcessContext context,
            SortedMap<LockTable.Id, SortedMap<TreePath, LockMode>> parts,
            Hold hold,
            Duration most) {
        Time time = context.time();
        long begin = time.nanos();
        Waiter waiter = new Waiter(hold, parts, begin);
        join(waiter, begin);
        try {
            while (true) {
                long now = time.nanos();
                Duration left = context.stop().isRequested() ? Duration.ZERO : most.minusNanos(now - begin);
                Optional<Waited> ended = ended(waiter, left, now);
                if (ended.isPresent()) {
                    return ended.get();
                }
                Optional<Duration> nextRead = untilNextRead(waiter, now).filter(next -> next.compareTo(left) < 0);
                boolean isWoken = time.await(waiter.wake, nextRead.orElse(left));
                if (!isWoken && nextRead.isPresent()) {
                    readForAll(time);
                }
            }
        } finally {
            leave(waiter);
        }
    }

    private synchronized void join(Waiter waiter, long nowNanos) {
        if (waiters.isEmpty()) {
            readNanos = nowNanos;
            unanswered = 0;
        }
        waiters.add(waiter);
        if (reader == null) {
            reader = waiter;
        }
    }

    private synchronized Optional<Waited> ended(Waiter waiter, Duration left, long nowNanos) {
        if (!waiter.hasEnded() && left.isPositive()) {
            return Optional.empty();
        }
        waiter.read(nowNanos, unanswered == 0);
        List<Blocker> blockers = unanswered > 0 ? List.of() : waiter.blockers(tables);
        return Optional.of(new Waited(waiter.mayAttempt, waiter.isUnreadable, waiter.answered, blockers));
    }

    /** Returns the pause before the next read if this waiter reads. Pauses grow while reads are not answered. */
    private synchronized Optional<Duration> untilNextRead(Waiter waiter, long nowNanos) {
        if (reader != waiter) {
            return Optional.empty();
        }
        Duration pace = EVERY.multipliedBy(1L << Math.min(unanswered, MOST_DOUBLINGS));
        Duration left = pace.minusNanos(nowNanos - readNanos);
        return Optional.of(left.isNegative() ? Duration.ZERO : left);
    }

    /** The next waiter reads on. */
    private synchronized void leave(Waiter waiter) {
        waiters.remove(waiter);
        if (reader == waiter) {
            reader = waiters.stream().findFirst().orElse(null);
            if (reader != null) {
                reader.wake.wake();
            }
        }
        if (waiters.isEmpty()) {
            tables.clear();
        }
    }

    /** Without an answer the requests wait on. Another failure ends their waits: each request then reads its own tables, and fails if that read fails. */
    private void readForAll(Time time) {
        try {
            List<LockTable> read = locks.read(wanted(time.nanos()));
            show(read, time.nanos());
        } catch (FencedException e) {
            throw e;
        } catch (NoAnswerException e) {
            report(noAnswer(time.nanos()), ProcessContext.levelOf(e), e, "trying again");
        } catch (RuntimeException e) {
            report(unreadable(), Level.ERROR, e, "each request reads its own");
        }
    }

    private static void report(int reads, Level level, RuntimeException failure, String next) {
        log.atLevel(Integer.bitCount(reads) == 1 ? level : Level.DEBUG)
                .log(
                        "cannot read the lock tables that requests wait for, try {}: {}; {}",
                        reads,
                        failure.getMessage(),
                        next);
    }

    /** Ends the waits of the requests whose tables were to be read. */
    private synchronized int unreadable() {
        for (Waiter waiter : waiters) {
            if (waiter.isAsked) {
                waiter.isUnreadable = true;
                waiter.wake.wake();
            }
        }
        return ++failed;
    }

    private synchronized int noAnswer(long nowNanos) {
        waiters.forEach(waiter -> waiter.read(nowNanos, false));
        return ++unanswered;
    }

    private synchronized Set<LockTable.Id> wanted(long nowNanos) {
        readNanos = nowNanos;
        Set<LockTable.Id> wanted = new TreeSet<>();
        for (Waiter waiter : waiters) {
            waiter.isAsked = true;
            wanted.addAll(waiter.parts.keySet());
        }
        return wanted;
    }

    private synchronized void show(List<LockTable> read, long nowNanos) {
        boolean isAfterSilence = unanswered > 0;
        unanswered = 0;
        failed = 0;
        tables.clear();
        tables.putAll(byId(read));
        for (Waiter waiter : waiters) {
            waiter.read(nowNanos, !isAfterSilence);
            waiter.isShown |= waiter.isAsked;
        }
        showTo(waiters);
    }

    /** Applies a release by this process, so that the requests that wait for it attempt at once. */
    synchronized void released(Collection<LockTable.Id> of, Release release) {
        if (waiters.isEmpty()) {
            return;
        }
        Set<LockTable.Id> changed = new TreeSet<>();
        for (LockTable.Id id : of) {
            LockTable table = tables.get(id);
            if (table != null) {
                tables.put(id, table.released(release));
                changed.add(id);
            }
        }
        showTo(waiters.stream()
                .filter(waiter -> waiter.parts.keySet().stream().anyMatch(changed::contains))
                .toList());
    }

    /** The oldest first, as the script would serve them. */
    private void showTo(Collection<Waiter> some) {
        Map<LockTable.Id, LockTable> afterAttempts = new HashMap<>(tables);
        some.stream().sorted(Comparator.comparing(Waiter::age)).forEach(waiter -> waiter.see(tables, afterAttempts));
    }

    private static Map<LockTable.Id, LockTable> byId(List<LockTable> read) {
        Map<LockTable.Id, LockTable> tables = new TreeMap<>();
        read.forEach(table -> tables.put(table.id(), table));
        return tables;
    }
}
