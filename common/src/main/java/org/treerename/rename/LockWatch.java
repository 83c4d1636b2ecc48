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
import org.treerename.lock.LockStore;
import org.treerename.lock.LockTable;
import org.treerename.lock.LockTable.Blocker;
import org.treerename.lock.Release;
import org.treerename.path.TreePath;
import org.treerename.process.FencedException;
import org.treerename.process.ProcessContext;
import org.treerename.runtime.Time;
import org.treerename.store.NoAnswerException;

/**
 * Wakes the refused requests of one process when their next attempt may succeed. A refused request has left a claim in
 * the lock tables, and writes nothing until its next attempt. At most once per {@link #EVERY}, one of the waiting
 * threads reads the lock tables of all waiting requests, and applies the rules of {@link LockTable}. The watch applies a
 * release by this process to the tables in memory, without a read. The result of a read is only a hint: the next attempt
 * decides whether the request gets its locks. Any thread may call this class.
 */
public final class LockWatch {

    /** The time between two reads while any request waits, if the reads are fast. */
    static final Duration EVERY = Duration.ofMillis(30);

    /**
     * The divisor for the time of reads: they take at most a quarter of the time. A read of full tables takes long, and
     * each process with a waiting request makes such reads.
     */
    private static final int SHARE = 4;

    private static final int MOST_DOUBLINGS = 6;

    /** The longest time between two reads. */
    private static final Duration SELDOM = EVERY.multipliedBy(1L << MOST_DOUBLINGS);

    private static final Logger log = LoggerFactory.getLogger(LockWatch.class);

    private final LockStore locks;

    /** The requests that wait. The monitor of this watch guards the set and the fields of its elements. */
    private final Set<LockWaiter> waiters = new LinkedHashSet<>();

    /** The tables as the last read showed them, without the locks that this process has released since that read. */
    private final Map<LockTable.Id, LockTable> tables = new HashMap<>();

    /** The waiter whose thread reads the tables of all waiters. */
    private @Nullable LockWaiter reader;

    /** The time at which the last read began, or at which the first waiter joined. */
    private long readNanos;

    /** The time that the last answered read took. */
    private long tookNanos;

    /** The number of consecutive reads without an answer. */
    private int unanswered;

    /** The number of reads that failed unexpectedly since the last successful read. */
    private int failed;

    public LockWatch(LockStore locks) {
        this.locks = locks;
    }

    /**
     * Reads the tables of one request, and checks whether its next attempt may succeed.
     *
     * @throws NoAnswerException if the store does not answer
     */
    GrantCheck check(SortedMap<LockTable.Id, SortedMap<TreePath, LockMode>> parts, Hold hold) {
        return GrantCheck.of(hold, parts, byId(locks.read(parts.keySet())));
    }

    /**
     * The result of a wait: the next attempt may succeed, a read failed, or the time is over.
     *
     * @param mayAttempt whether the next attempt may succeed
     * @param isUnreadable whether a read for several requests failed unexpectedly. In this case, the request must read
     *     only its own tables, which may all be readable
     * @param answered the part of the waiting time during which the store answered
     * @param blockers the holds and claims that blocked the request: at the first read if {@code mayAttempt} is true,
     *     otherwise at the last read. The list is empty if the last read got no answer
     */
    record Waited(boolean mayAttempt, boolean isUnreadable, Duration answered, List<Blocker> blockers) {}

    /**
     * Waits until the next attempt of a refused request may succeed. Also returns if a read fails unexpectedly, if the
     * time is over, or if the process must stop.
     *
     * @param timeout the longest time to wait
     */
    Waited await(
            ProcessContext context,
            SortedMap<LockTable.Id, SortedMap<TreePath, LockMode>> parts,
            Hold hold,
            Duration timeout) {
        Time time = context.time();
        long begin = time.nanos();
        LockWaiter waiter = new LockWaiter(hold, parts, begin);
        join(waiter, begin);
        try {
            while (true) {
                long now = time.nanos();
                Duration left = context.stop().isRequested() ? Duration.ZERO : timeout.minusNanos(now - begin);
                Optional<Waited> ended = ended(waiter, left, now);
                if (ended.isPresent()) {
                    return ended.get();
                }
                Optional<Duration> nextRead = untilNextRead(waiter, now).filter(next -> next.compareTo(left) < 0);
                boolean isWoken = time.await(waiter.wake(), nextRead.orElse(left));
                if (!isWoken && nextRead.isPresent()) {
                    readForAll(time);
                }
            }
        } finally {
            leave(waiter);
        }
    }

    private synchronized void join(LockWaiter waiter, long nowNanos) {
        if (waiters.isEmpty()) {
            readNanos = nowNanos;
            tookNanos = 0;
            unanswered = 0;
        }
        waiters.add(waiter);
        if (reader == null) {
            reader = waiter;
        }
    }

    private synchronized Optional<Waited> ended(LockWaiter waiter, Duration left, long nowNanos) {
        if (!waiter.hasEnded() && left.isPositive()) {
            return Optional.empty();
        }
        waiter.addTime(nowNanos, unanswered == 0);
        List<Blocker> blockers = unanswered > 0 ? List.of() : waiter.blockers(tables);
        return Optional.of(waiter.result(blockers));
    }

    /**
     * Returns the pause before the next read if the thread of this waiter makes the reads; otherwise empty. The pause
     * grows with each consecutive read without an answer.
     */
    private synchronized Optional<Duration> untilNextRead(LockWaiter waiter, long nowNanos) {
        if (reader != waiter) {
            return Optional.empty();
        }
        long usual = Math.max(EVERY.toNanos(), SHARE * tookNanos);
        long paceNanos = Math.min(SELDOM.toNanos(), usual << Math.min(unanswered, MOST_DOUBLINGS));
        return Optional.of(Duration.ofNanos(Math.max(0, paceNanos - (nowNanos - readNanos))));
    }

    /** Removes a waiter. If its thread made the reads, the thread of another waiter makes all further reads. */
    private synchronized void leave(LockWaiter waiter) {
        waiters.remove(waiter);
        if (reader == waiter) {
            reader = waiters.stream().findFirst().orElse(null);
            if (reader != null) {
                reader.wake().wake();
            }
        }
        if (waiters.isEmpty()) {
            tables.clear();
        }
    }

    /**
     * Reads the tables of all waiters. If the store does not answer, the requests continue to wait. Any other failure
     * ends the waits of these requests. Each request then reads its own tables, and fails if that read fails.
     */
    private void readForAll(Time time) {
        try {
            List<LockTable> read = locks.read(wanted(time.nanos()));
            show(read, time.nanos());
        } catch (FencedException e) {
            throw e;
        } catch (NoAnswerException e) {
            report(noAnswer(time.nanos()), ProcessContext.levelOf(e), e, "trying again");
        } catch (RuntimeException e) {
            report(unreadable(), Level.ERROR, e, "each request reads its own tables");
        }
    }

    private static void report(int reads, Level level, RuntimeException failure, String next) {
        log.atLevel(Integer.bitCount(reads) == 1 ? level : Level.DEBUG)
                .log(
                        "cannot read the lock tables of the waiting requests, try {}: {}; {}",
                        reads,
                        failure.getMessage(),
                        next);
    }

    /** Ends the waits of the requests whose tables were part of the failed read. Returns the number of failed reads. */
    private synchronized int unreadable() {
        waiters.forEach(LockWaiter::readFails);
        return ++failed;
    }

    /** Counts a read without an answer. Returns the number of consecutive reads without an answer. */
    private synchronized int noAnswer(long nowNanos) {
        waiters.forEach(waiter -> waiter.addTime(nowNanos, false));
        return ++unanswered;
    }

    private synchronized Set<LockTable.Id> wanted(long nowNanos) {
        readNanos = nowNanos;
        Set<LockTable.Id> wanted = new TreeSet<>();
        for (LockWaiter waiter : waiters) {
            waiter.readBegins();
            wanted.addAll(waiter.tables());
        }
        return wanted;
    }

    private synchronized void show(List<LockTable> read, long nowNanos) {
        boolean isAfterSilence = unanswered > 0;
        tookNanos = nowNanos - readNanos;
        unanswered = 0;
        failed = 0;
        tables.clear();
        tables.putAll(byId(read));
        for (LockWaiter waiter : waiters) {
            waiter.addTime(nowNanos, !isAfterSilence);
            waiter.readEnds();
        }
        showTo(waiters);
    }

    /**
     * Applies a release by this process to the tables in memory, so that waiting requests can make their next attempt
     * at once.
     */
    public synchronized void released(Collection<LockTable.Id> of, Release release) {
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
                .filter(waiter -> waiter.tables().stream().anyMatch(changed::contains))
                .toList());
    }

    /** Checks the tables for each waiter, the oldest request first, by the rules of {@link LockTable}. */
    private void showTo(Collection<LockWaiter> some) {
        Map<LockTable.Id, LockTable> afterAttempts = new HashMap<>(tables);
        some.stream()
                .sorted(Comparator.comparing(LockWaiter::age))
                .forEach(waiter -> waiter.check(tables, afterAttempts));
    }

    private static Map<LockTable.Id, LockTable> byId(List<LockTable> read) {
        Map<LockTable.Id, LockTable> tables = new TreeMap<>();
        read.forEach(table -> tables.put(table.id(), table));
        return tables;
    }
}
