package org.treerename.rename;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.function.Supplier;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.treerename.journal.Deliveries;
import org.treerename.journal.InMemoryJournal;
import org.treerename.journal.JournalEntry;
import org.treerename.journal.LockBooks;
import org.treerename.journal.Ownership;
import org.treerename.lock.ForwardingLockStore;
import org.treerename.lock.Hold;
import org.treerename.lock.InMemoryLockStore;
import org.treerename.lock.LockMode;
import org.treerename.lock.LockPriority;
import org.treerename.lock.LockSet;
import org.treerename.lock.LockStore;
import org.treerename.lock.LockTable;
import org.treerename.lock.Release;
import org.treerename.namespace.InMemoryNamespaces;
import org.treerename.path.TreePath;
import org.treerename.process.ProcessContext;
import org.treerename.rename.LockWatch.Waited;
import org.treerename.runtime.Backoff;
import org.treerename.runtime.ManualTime;
import org.treerename.runtime.StopSignal;
import org.treerename.runtime.SystemTime;
import org.treerename.runtime.Time;
import org.treerename.store.InMemoryControlIndex;
import org.treerename.store.NoAnswerException;
import org.treerename.store.RefusedException;
import org.treerename.store.Version;
import org.treerename.store.Versioned;

class LockWatchTest {

    private static final Hold HOLDER = new Hold("h1", "worker-9", new LockPriority(10, "holder"));
    private static final Hold OLDER = new Hold("h2", "worker-9", new LockPriority(20, "older"));
    private static final Hold OWN = new Hold("h3", "worker-1", new LockPriority(30, "own"));
    private static final LockSet A = LockSet.tree("files", new TreePath("/a/x"), new TreePath("/a/y"));
    private static final LockSet A_AND_B = LockSet.tree("files", new TreePath("/a/x"), new TreePath("/b/x"));
    private static final LockSet B = LockSet.tree("files", new TreePath("/b"), new TreePath("/b/x"));
    private static final Duration LONG = Duration.ofSeconds(2);

    private final ManualTime time = ManualTime.startingAt("2026-11-02T10:00:00Z");
    private final InMemoryLockStore stored = new InMemoryLockStore(new InMemoryControlIndex());
    private final Counted locks = new Counted(stored);
    private final LockWatch watch = new LockWatch(locks);
    private final StopSignal stop = new StopSignal();
    private final ProcessContext context = context(time);

    private ProcessContext context(Time time) {
        return new ProcessContext("worker-1", time, Backoff.Factory.jittered(time), Duration.ofSeconds(30), 10, stop);
    }

    /**
     * A lock store that records the tables of its reads, and counts its writes. While {@code silent} is true, reads get
     * no answer. Reads of the table {@code damaged} are refused.
     */
    private static final class Counted implements ForwardingLockStore {
        private final LockStore store;
        private final ConcurrentLinkedQueue<Set<LockTable.Id>> reads = new ConcurrentLinkedQueue<>();
        private int writes;
        private volatile boolean silent;
        private volatile LockTable.@Nullable Id damaged;
        private volatile Runnable afterRead = () -> {};

        Counted(LockStore store) {
            this.store = store;
        }

        @Override
        public LockStore locks() {
            return store;
        }

        @Override
        public void release(Collection<LockTable.Id> tables, Release release) {
            writes++;
            store.release(tables, release);
        }

        @Override
        public void releaseFromDocuments(String namespace, Release release) {
            writes++;
            store.releaseFromDocuments(namespace, release);
        }

        @Override
        public List<LockTable> read(Collection<LockTable.Id> tables) {
            reads.add(Set.copyOf(tables));
            if (silent) {
                throw new NoAnswerException("silent", null);
            }
            if (damaged != null && tables.contains(damaged)) {
                throw new RefusedException(damaged + " is damaged");
            }
            List<LockTable> read = store.read(tables);
            afterRead.run();
            return read;
        }
    }

    private long millis() {
        return time.nanos() / 1_000_000;
    }

    @Test
    void wakes_a_request_soon_after_another_process_has_released_the_lock() {
        stored.take(A, HOLDER);
        stored.take(A, OWN);
        time.plan(Duration.ofMillis(100), () -> stored.release(A, Release.ofHold("h1")));

        Waited woken = watch.await(context, A.parts(), OWN, LONG);

        assertThat(woken.mayAttempt()).isTrue();
        assertThat(millis()).isBetween(100L, 140L);
        assertThat(locks.reads).hasSizeBetween(3, 5);
        assertThat(locks.writes).isZero();
    }

    @Test
    void wakes_a_request_without_a_read_when_this_process_releases_the_lock() {
        stored.take(A, HOLDER);
        stored.take(A, OWN);
        time.plan(Duration.ofMillis(40), () -> watch.released(A.parts().keySet(), Release.ofHold("h1")));

        Waited woken = watch.await(context, A.parts(), OWN, LONG);

        assertThat(woken.mayAttempt()).isTrue();
        assertThat(millis()).isBetween(40L, 50L);
        assertThat(locks.reads).hasSize(1);
    }

    @Test
    void lets_a_request_wait_until_the_time_is_over_while_the_lock_is_held() {
        stored.take(A, HOLDER);
        stored.take(A, OWN);

        assertThat(watch.await(context, A.parts(), OWN, LONG).mayAttempt()).isFalse();

        assertThat(millis()).isEqualTo(2_000);
    }

    @Test
    void ends_the_wait_when_the_process_stops() {
        stored.take(A, HOLDER);
        stored.take(A, OWN);
        time.plan(Duration.ofMillis(100), stop::request);

        assertThat(watch.await(context, A.parts(), OWN, LONG).mayAttempt()).isFalse();

        assertThat(millis()).isBetween(100L, 140L);
    }

    @Test
    void ends_the_waits_of_all_requests_when_the_process_stops() throws InterruptedException {
        stored.take(A, HOLDER);
        stored.take(A, OWN);
        ProcessContext real = context(new SystemTime());
        List<Thread> waiters = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            waiters.add(Thread.startVirtualThread(() -> watch.await(real, A.parts(), OWN, Duration.ofMinutes(10))));
        }
        while (locks.reads.isEmpty()) {
            Thread.onSpinWait();
        }

        stop.request();

        for (Thread waiter : waiters) {
            assertThat(waiter.join(Duration.ofMinutes(1))).isTrue();
        }
    }

    @Test
    void counts_no_time_in_which_the_store_does_not_answer() {
        stored.take(A, HOLDER);
        locks.silent = true;

        assertThat(watch.await(context, A.parts(), OWN, LONG))
                .isEqualTo(new Waited(false, false, Duration.ZERO, List.of()));
        assertThat(locks.reads).as("reads with growing pauses").hasSizeBetween(4, 7);
    }

    @Test
    void slow_reads_take_at_most_a_quarter_of_the_time() {
        stored.take(A, HOLDER);
        stored.take(A, OWN);
        locks.afterRead = () -> time.advance(Duration.ofMillis(100));

        watch.await(context, A.parts(), OWN, Duration.ofSeconds(4));

        assertThat(locks.reads).hasSizeBetween(9, 11);
    }

    @Test
    void counts_the_time_between_answered_reads() {
        stored.take(A, HOLDER);
        stored.take(A, OWN);
        time.plan(Duration.ofMillis(500), () -> locks.silent = true);
        time.plan(Duration.ofMillis(1_500), () -> locks.silent = false);

        Waited waited = watch.await(context, A.parts(), OWN, Duration.ofSeconds(4));

        assertThat(waited.mayAttempt()).isFalse();
        assertThat(waited.answered()).isBetween(Duration.ofMillis(1_900), Duration.ofMillis(3_000));
    }

    @Test
    void does_not_wake_a_request_past_an_older_claim() {
        stored.take(A, HOLDER);
        stored.take(A, OLDER);
        stored.take(A, OWN);
        stored.release(A, Release.ofHold("h1"));

        assertThat(watch.await(context, A.parts(), OWN, LONG).mayAttempt()).isFalse();
        assertThat(watch.await(context, A.parts(), OLDER, LONG).mayAttempt()).isTrue();
    }

    @Test
    void does_not_wake_a_request_that_one_of_two_tables_still_refuses() {
        stored.take(A, HOLDER);
        stored.take(B, OLDER);
        stored.take(A_AND_B, OWN);
        stored.release(A, Release.ofHold("h1"));

        assertThat(watch.await(context, A_AND_B.parts(), OWN, LONG).mayAttempt())
                .isFalse();
    }

    /**
     * A request must leave a claim in each table that refuses it. Without this claim, younger requests could acquire
     * the lock again and again, and the request would wait forever.
     */
    @Test
    void wakes_a_request_to_leave_its_claim_at_a_table_that_refuses_it_now() {
        stored.take(B, HOLDER);
        assertThat(watch.check(A_AND_B.parts(), OWN).mayAttempt())
                .as("may attempt without a claim")
                .isTrue();

        stored.take(A_AND_B, OWN);
        stored.release(A, Release.ofHold(OWN.holdId()));

        assertThat(watch.check(A_AND_B.parts(), OWN).mayAttempt())
                .as("may attempt with its claim")
                .isFalse();
    }

    @Test
    void does_not_wake_a_request_for_a_claim_that_has_no_room() {
        TreeMap<String, LockTable.Claim> claims = new TreeMap<>();
        for (int i = 0; i < LockTable.MOST_ENTRIES; i++) {
            claims.put("q" + i, new LockTable.Claim(new LockPriority(i, "q" + i), A.modes()));
        }
        LockTable.Id id = A.parts().firstKey();
        LockTable full = new LockTable(id, new TreeMap<>(), claims);

        GrantCheck seen = GrantCheck.of(OWN, A.parts(), Map.of(id, full));

        assertThat(seen.mayAttempt()).isFalse();
    }

    @Test
    void wakes_a_request_whose_own_refused_attempt_was_granted_late() {
        stored.take(B, HOLDER);
        stored.take(A_AND_B, OWN);

        assertThat(watch.await(context, A_AND_B.parts(), OWN, LONG).mayAttempt())
                .isTrue();
    }

    @Test
    void wakes_only_as_many_requests_without_a_claim_as_the_table_has_room_for() throws InterruptedException {
        stored.take(A, HOLDER);
        for (int i = 0; i < LockTable.MOST_ENTRIES; i++) {
            stored.take(A, new Hold("c" + i, "worker-9", new LockPriority(100 + i, "q" + i)));
        }
        ProcessContext real = context(new SystemTime());
        ConcurrentLinkedQueue<Waited> ended = new ConcurrentLinkedQueue<>();
        List<Thread> waiters = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            Hold hold = new Hold("w" + i, "worker-1", new LockPriority(10_000 + i, "late" + i));
            waiters.add(Thread.startVirtualThread(
                    () -> ended.add(watch.await(real, A.parts(), hold, Duration.ofMinutes(10)))));
        }
        awaitReads(2);
        assertThat(ended).isEmpty();

        int before = locks.reads.size();
        stored.release(A, Release.ofRequest("q7", Set.of()));
        awaitReads(5);
        stop.request();
        for (Thread waiter : waiters) {
            waiter.join();
        }

        assertThat(ended)
                .filteredOn(Waited::mayAttempt)
                .as("one request per read, because these attempts leave no claim")
                .hasSizeBetween(1, locks.reads.size() - before + 1);
    }

    /** Blocks until {@code more} reads of the store have begun after this call. */
    private void awaitReads(int more) {
        int before = locks.reads.size();
        while (locks.reads.size() < before + more) {
            Thread.onSpinWait();
        }
    }

    @Test
    void reads_at_its_usual_pace_while_many_requests_wait_in_turn() throws InterruptedException {
        stored.take(A, HOLDER);
        stored.take(A, OWN);
        SystemTime clock = new SystemTime();
        ProcessContext real = context(clock);
        List<Thread> waiters = new ArrayList<>();
        long begin = clock.nanos();
        for (int i = 0; i < 100; i++) {
            Duration most = Duration.ofMillis(10 + i);
            waiters.add(Thread.startVirtualThread(() -> {
                for (int turn = 0; turn < 10; turn++) {
                    watch.await(real, A.parts(), OWN, most);
                }
            }));
        }
        for (Thread waiter : waiters) {
            waiter.join();
        }

        long most = (clock.nanos() - begin) / LockWatch.EVERY.toNanos();
        assertThat((long) locks.reads.size()).isBetween(1L, most + 1);
    }

    /** A table that was read before the attempt of a request does not contain the claim of this request. */
    @Test
    void does_not_wake_a_request_by_tables_that_were_read_before_it_waited() throws InterruptedException {
        stored.take(A, HOLDER);
        stored.take(A, OLDER);
        stored.take(A, OWN);
        ProcessContext real = context(new SystemTime());
        Thread reader = Thread.startVirtualThread(() -> watch.await(real, A.parts(), OWN, Duration.ofMinutes(10)));
        awaitReads(1);
        Hold late = new Hold("h4", "worker-1", new LockPriority(40, "late"));
        stored.take(A, late);
        ConcurrentLinkedQueue<Waited> ended = new ConcurrentLinkedQueue<>();
        Thread waiter =
                Thread.startVirtualThread(() -> ended.add(watch.await(real, A.parts(), late, Duration.ofMinutes(10))));
        Awaitility.await("the late request waits")
                .atMost(Duration.ofMinutes(2))
                .until(() -> waiter.getState() == Thread.State.TIMED_WAITING);
        int before = locks.reads.size();
        while (locks.reads.size() < before + 4) {
            watch.released(A.parts().keySet(), Release.ofHold("none"));
        }
        stop.request();
        waiter.join();
        reader.join();

        assertThat(ended).extracting(Waited::mayAttempt).containsExactly(false);
    }

    @Test
    void a_failed_read_ends_the_wait_and_is_reported() {
        stored.take(A, HOLDER);
        stored.take(A, OWN);
        locks.damaged = A.parts().firstKey();

        Waited waited = watch.await(context, A.parts(), OWN, LONG);

        assertThat(waited).isEqualTo(new Waited(false, true, LockWatch.EVERY, List.of()));
        assertThat(locks.reads).hasSize(1);
    }

    @Test
    void a_damaged_table_fails_only_the_request_that_needs_it() {
        stored.take(A, HOLDER);
        stored.take(B, OLDER);
        Hold other = new Hold("h4", "worker-1", new LockPriority(40, "other"));
        stored.take(A, OWN);
        stored.take(B, other);
        CountDownLatch bothWait = new CountDownLatch(1);
        locks.afterRead = () -> awaitUninterruptibly(bothWait);
        CompletableFuture<LockWait.Ended> ofDamaged = waitOf(A, OWN);
        awaitFirstRead();
        CompletableFuture<LockWait.Ended> ofSound = waitOf(B, other);
        locks.damaged = A.parts().firstKey();
        bothWait.countDown();

        assertThat(ofDamaged)
                .failsWithin(Duration.ofSeconds(20))
                .withThrowableOfType(ExecutionException.class)
                .withMessageContaining(locks.damaged + " is damaged");
        assertThat(ofSound).isNotDone();
        stored.release(B, Release.ofHold(OLDER.holdId()));
        assertThat(ofSound).succeedsWithin(Duration.ofSeconds(20)).isEqualTo(new LockWait.Ended.MayAttempt());
    }

    private CompletableFuture<LockWait.Ended> waitOf(LockSet set, Hold hold) {
        InMemoryControlIndex control = new InMemoryControlIndex();
        LockBooks stores = LockBooks.of(
                new InMemoryNamespaces(), new InMemoryJournal(control, new InMemoryLockStore(control)), locks);
        JournalEntry entry = JournalEntry.prepared(
                Deliveries.of(Deliveries.rename(hold.requestId(), "files", "/a", "/b")),
                new Ownership(hold.processId(), 1, hold.holdId()));
        LockWait wait = new LockWait(stores, watch, context(new SystemTime()), hold.requestId());
        return waiting(() -> wait.await(
                new LockWait.Refusal(new Versioned<>(entry, new Version(1, 1)), hold, set.parts(), Duration.ZERO)));
    }

    /** Runs {@code wait} in a new thread, and returns when that thread blocks. */
    private static <T> CompletableFuture<T> waiting(Supplier<T> wait) {
        CompletableFuture<T> ended = new CompletableFuture<>();
        Thread thread = Thread.startVirtualThread(() -> ended.completeAsync(wait, Runnable::run));
        while (thread.getState() != Thread.State.TIMED_WAITING && thread.getState() != Thread.State.WAITING) {
            Thread.onSpinWait();
        }
        return ended;
    }

    private void awaitFirstRead() {
        while (locks.reads.isEmpty()) {
            Thread.onSpinWait();
        }
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void reads_at_its_usual_pace_again_after_an_outage() {
        stored.take(A, HOLDER);
        stored.take(A, OWN);
        locks.silent = true;
        watch.await(context, A.parts(), OWN, LONG);
        locks.silent = false;
        long begin = millis();
        time.plan(Duration.ofMillis(10), () -> stored.release(A, Release.ofHold("h1")));

        assertThat(watch.await(context, A.parts(), OWN, LONG).mayAttempt()).isTrue();

        assertThat(millis() - begin).isLessThan(50);
    }

    @Test
    void reports_the_blockers_of_the_request_at_the_end_of_a_wait() {
        stored.take(A, HOLDER);
        stored.take(A, OWN);

        Waited waited = watch.await(context, A.parts(), OWN, LONG);

        assertThat(waited.blockers()).extracting(blocker -> blocker.requestId()).containsExactly("holder");
    }

    /** After the release of the lock, the older request may make an attempt, but has not made this attempt yet. */
    @Test
    void names_the_blockers_in_the_stored_table_and_not_those_after_the_attempt_of_an_older_request() {
        stored.take(A, HOLDER);
        stored.take(A, OLDER);
        stored.take(A, OWN);
        CountDownLatch bothWait = new CountDownLatch(1);
        locks.afterRead = () -> awaitUninterruptibly(bothWait);
        ProcessContext real = context(new SystemTime());
        Duration most = Duration.ofMinutes(10);
        CompletableFuture<Waited> older = waiting(() -> watch.await(real, A.parts(), OLDER, most));
        awaitFirstRead();
        CompletableFuture<Waited> younger = waiting(() -> watch.await(real, A.parts(), OWN, most));
        stored.release(A, Release.ofHold(HOLDER.holdId()));
        bothWait.countDown();
        assertThat(older).succeedsWithin(Duration.ofSeconds(20)).returns(true, Waited::mayAttempt);

        stored.release(A, Release.ofRequest("older", Set.of()));

        assertThat(younger)
                .succeedsWithin(Duration.ofSeconds(20))
                .extracting(waited -> waited.blockers().toString())
                .isEqualTo("[/a/x is claimed exclusively by the older request older]");
    }

    @Test
    void names_the_holds_and_claims_that_refuse_a_request() {
        stored.take(A, HOLDER);
        stored.take(A, OLDER);
        stored.take(A, OWN);

        assertThat(watch.check(A.parts(), OWN).blockers())
                .extracting(Object::toString)
                .containsExactly(
                        "/a/x is held exclusively by request holder of process worker-9",
                        "/a/x is claimed exclusively by the older request older");
    }

    /**
     * This test uses threads and real time, because the thread of one request reads the tables for all waiting
     * requests.
     */
    @Test
    void reading_continues_for_other_requests_when_the_reading_request_may_attempt() throws InterruptedException {
        stored.take(A, HOLDER);
        stored.take(B, OLDER);
        stored.take(A, OWN);
        Hold other = new Hold("h4", "worker-1", new LockPriority(40, "other"));
        stored.take(B, other);
        ProcessContext real = context(new SystemTime());
        List<Waited> woken = new ArrayList<>();
        CountDownLatch first = new CountDownLatch(1);
        Thread reader = Thread.startVirtualThread(() -> {
            watch.await(real, A.parts(), OWN, Duration.ofMinutes(1));
            first.countDown();
        });
        while (locks.reads.isEmpty()) {
            Thread.onSpinWait();
        }
        Thread waiter =
                Thread.startVirtualThread(() -> woken.add(watch.await(real, B.parts(), other, Duration.ofMinutes(1))));

        stored.release(A, Release.ofHold("h1"));
        first.await();
        stored.release(B, Release.ofHold("h2"));
        waiter.join();
        reader.join();

        assertThat(woken).extracting(Waited::mayAttempt).containsExactly(true);
    }

    @Test
    void one_read_serves_all_requests_that_wait() throws InterruptedException {
        stored.take(A, HOLDER);
        stored.take(B, OLDER);
        ProcessContext real = context(new SystemTime());
        List<Thread> waiters = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            Hold hold = new Hold("w" + i, "worker-1", new LockPriority(100 + i, "q" + i));
            LockSet set = i % 2 == 0 ? A : B;
            stored.take(set, hold);
            waiters.add(Thread.startVirtualThread(() -> watch.await(real, set.parts(), hold, Duration.ofMinutes(1))));
        }
        Set<LockTable.Id> both = Set.of(A.parts().firstKey(), B.parts().firstKey());
        while (!locks.reads.contains(both)) {
            Thread.onSpinWait();
        }

        for (int i = 0; i < 20; i++) {
            watch.released(both, Release.ofRequest("q" + i, Set.of("h1", "h2")));
        }
        for (Thread waiter : waiters) {
            waiter.join();
        }

        assertThat(locks.reads).allMatch(both::containsAll);
    }

    @Test
    void a_wait_for_shared_locks_ends_when_the_exclusive_lock_is_released() {
        LockSet writer = LockSet.ofWriter("files", List.of(new TreePath("/a/x/d")));
        stored.take(A, HOLDER);
        stored.take(writer, OWN);
        time.plan(Duration.ofMillis(50), () -> stored.release(A, Release.ofHold("h1")));

        assertThat(watch.await(context, writer.parts(), OWN, LONG).mayAttempt()).isTrue();
        assertThat(writer.modes()).containsValue(LockMode.SHARED);
    }
}
