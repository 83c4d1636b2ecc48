package org.treerename.worker;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.treerename.journal.ForwardingJournal;
import org.treerename.journal.InMemoryJournal;
import org.treerename.journal.Journal;
import org.treerename.journal.JournalEntry;
import org.treerename.journal.JournalStep;
import org.treerename.journal.State;
import org.treerename.kafka.RequestCodec;
import org.treerename.lock.InMemoryLockStore;
import org.treerename.rename.Renamer.Answer;
import org.treerename.request.OnExisting;
import org.treerename.request.ParsedRequest.RenameRequest;
import org.treerename.runtime.ManualTime;
import org.treerename.runtime.StopSignal;
import org.treerename.store.InMemoryControlIndex;
import org.treerename.store.NoAnswerException;
import org.treerename.store.Version;
import org.treerename.store.Versioned;
import org.treerename.worker.DependencyCheck.Patience;
import org.treerename.worker.DependencyQueue.Ready;
import org.treerename.worker.PartitionQueue.Queued;

final class DependencyQueueTest {

    private static final Duration TIMEOUT = Duration.ofMinutes(10);
    private static final Duration LOCK_WAIT = Duration.ofMinutes(2);
    private static final Patience PATIENCE = new Patience(TIMEOUT, LOCK_WAIT);

    private final ManualTime time = ManualTime.startingAt("2026-03-01T10:00:00Z");
    private final InMemoryControlIndex control = new InMemoryControlIndex();
    private final InMemoryJournal journal = new InMemoryJournal(control, new InMemoryLockStore(control));
    private final AtomicBoolean unavailable = new AtomicBoolean();
    private int woken;
    private final DependencyQueue dependencies =
            new DependencyQueue(new Predecessors(journal), time, PATIENCE, unavailable::get, () -> woken++);
    private final Assignment assignment = new Assignment(
            new TopicPartition("rename.requests", 0),
            EndedRecords.NONE,
            new StopSignal(),
            delivery -> new Answer.Stopped());
    private long offset;

    /** Adds a request to the queue of the partition and begins it. The request conflicts with no other request. */
    private Queued queued(String requestId, String... after) {
        RenameRequest request =
                new RenameRequest(requestId, "files", "/" + requestId, "/to-" + requestId, OnExisting.FAIL, null);
        byte[] value = RequestCodec.encode(request, List.of(after));
        assignment
                .queue()
                .add(
                        ReceivedRecord.of(new ConsumerRecord<>("rename.requests", 0, offset++, null, value)),
                        new Footprint.Nothing());
        return assignment.queue().begin(any -> true).orElseThrow();
    }

    private void hold(String requestId, String... after) {
        dependencies.add(assignment, queued(requestId, after));
    }

    private void entry(String requestId, State state) {
        journal.create(JournalStep.ATTEMPT, JournalEntries.in(state, requestId, time.now()));
    }

    private void become(String requestId, State state) {
        journal.write(
                JournalStep.NO_OP,
                JournalEntries.in(state, requestId, time.now()),
                journal.read(requestId).orElseThrow().version());
    }

    /** Checks the requests once per tick for the given time, as the checking thread of a worker does. */
    private void checkFor(Duration length) {
        for (Duration elapsed = Duration.ZERO;
                elapsed.compareTo(length) < 0;
                elapsed = elapsed.plus(DependencyQueue.TICK)) {
            dependencies.poll();
            time.advance(DependencyQueue.TICK);
        }
    }

    private List<String> ready() {
        List<String> ready = new ArrayList<>();
        for (Optional<Ready> next = dependencies.next(any -> true);
                next.isPresent();
                next = dependencies.next(any -> true)) {
            ready.add(next.get().queued().taken().requestId()
                    + (next.get().unmet() == null
                            ? ""
                            : " without " + next.get().unmet()));
        }
        return ready;
    }

    @Test
    void returns_a_request_when_all_its_predecessors_have_ended() {
        entry("r1", State.MOVING);
        entry("r2", State.CLOSED);
        hold("r3", "r1", "r2");
        hold("r4", "r2");

        checkFor(Duration.ofHours(3));

        assertThat(ready()).containsExactly("r4");
        assertThat(woken).isEqualTo(1);
        assertThat(dependencies.size()).isEqualTo(1);
        journal.write(
                JournalStep.NO_OP,
                JournalEntries.in(State.DONE, "r1", time.now()),
                journal.read("r1").orElseThrow().version());
        checkFor(Duration.ofSeconds(1));
        assertThat(ready()).containsExactly("r3");
        assertThat(dependencies.size()).isZero();
    }

    @Test
    void returns_a_request_without_its_unknown_predecessor_after_the_timeout() {
        hold("r2", "r1");

        checkFor(TIMEOUT.minusSeconds(1));
        assertThat(ready()).isEmpty();
        checkFor(Duration.ofSeconds(2));

        assertThat(ready()).containsExactly("r2 without r1 (UNKNOWN)");
    }

    @Test
    void does_not_count_time_in_which_no_request_may_begin() {
        hold("r2", "r1");
        checkFor(TIMEOUT.minusSeconds(1));

        unavailable.set(true);
        checkFor(TIMEOUT.multipliedBy(2));
        assertThat(ready()).isEmpty();
        unavailable.set(false);
        checkFor(Duration.ofMillis(500));
        assertThat(ready()).isEmpty();
        entry("r1", State.CLOSED);
        checkFor(Duration.ofSeconds(2));

        assertThat(ready()).containsExactly("r2");
    }

    @Test
    void returns_a_request_whose_predecessor_is_parked_after_the_lock_wait() {
        entry("r1", State.PARKED);
        hold("r2", "r1");

        checkFor(LOCK_WAIT.minusSeconds(1));
        assertThat(ready()).isEmpty();
        checkFor(Duration.ofSeconds(2));

        assertThat(ready()).containsExactly("r2 without r1 (PARKED)");
    }

    @Test
    void returns_a_request_whose_released_predecessor_is_not_processed_again() {
        entry("r1", State.RETRY);
        hold("r2", "r1");
        dependencies.poll();
        time.advance(TIMEOUT.minusNanos(1));
        dependencies.poll();
        assertThat(ready()).isEmpty();

        time.advance(Duration.ofSeconds(1));
        dependencies.poll();

        assertThat(ready()).containsExactly("r2 without r1 (RELEASED)");
    }

    @Test
    void waits_for_a_parked_predecessor_that_moves_again() {
        entry("r1", State.PARKED);
        hold("r2", "r1");
        checkFor(LOCK_WAIT.minusSeconds(1));

        become("r1", State.MOVING);
        checkFor(LOCK_WAIT);
        become("r1", State.PARKED);
        checkFor(LOCK_WAIT.minusSeconds(1));
        assertThat(ready()).isEmpty();
        become("r1", State.DONE);
        checkFor(Duration.ofSeconds(1));

        assertThat(ready()).containsExactly("r2");
    }

    @Test
    void checks_a_missing_predecessor_again_when_its_successor_begins_late() {
        hold("r2", "r1");
        checkFor(TIMEOUT.plusSeconds(1));
        time.advance(Duration.ofSeconds(5));
        entry("r1", State.CLOSED);

        assertThat(ready()).isEmpty();
        assertThat(dependencies.size()).isEqualTo(1);
        checkFor(Duration.ofSeconds(1));

        assertThat(ready()).containsExactly("r2");
        assertThat(dependencies.size()).isZero();
    }

    /** Returns a dependency queue whose journal does not answer while {@code silent} is true. */
    private DependencyQueue withJournalThatMayBeSilent(AtomicBoolean silent) {
        Journal answering = new ForwardingJournal() {
            @Override
            public Journal journal() {
                return journal;
            }

            @Override
            public List<Versioned<JournalEntry>> read(Collection<String> requestIds) {
                if (silent.get()) {
                    throw new NoAnswerException("silent", null);
                }
                return journal.read(requestIds);
            }
        };
        return new DependencyQueue(new Predecessors(answering), time, PATIENCE, () -> false, () -> {});
    }

    @Test
    void does_not_count_time_in_which_the_journal_does_not_answer() {
        AtomicBoolean silent = new AtomicBoolean();
        DependencyQueue waiting = withJournalThatMayBeSilent(silent);
        waiting.add(assignment, queued("r2", "r1"));
        waiting.poll();

        silent.set(true);
        for (int i = 0; i < 100; i++) {
            time.advance(TIMEOUT.dividedBy(10));
            waiting.poll();
            assertThat(waiting.next(any -> true)).isEmpty();
        }
        silent.set(false);
        time.advance(Duration.ofSeconds(1));
        waiting.poll();
        assertThat(waiting.next(any -> true)).isEmpty();
        time.advance(TIMEOUT);
        waiting.poll();

        assertThat(waiting.next(any -> true))
                .hasValueSatisfying(ready -> assertThat(ready.unmet()).isNotNull());
    }

    @Test
    void treats_no_predecessor_as_missing_if_the_journal_does_not_answer() {
        AtomicBoolean silent = new AtomicBoolean(true);
        DependencyQueue waiting = withJournalThatMayBeSilent(silent);
        waiting.add(assignment, queued("r2", "r1"));
        for (int i = 0; i < 100; i++) {
            waiting.poll();
            time.advance(TIMEOUT.dividedBy(10));
        }
        assertThat(waiting.next(any -> true)).isEmpty();

        silent.set(false);
        entry("r1", State.CLOSED);
        waiting.poll();

        assertThat(waiting.next(any -> true))
                .hasValueSatisfying(ready -> assertThat(ready.unmet()).isNull());
    }

    @Test
    void the_checking_thread_waits_until_a_request_is_added() throws InterruptedException {
        entry("r1", State.CLOSED);
        Thread checking = Thread.ofPlatform().start(() -> {
            dependencies.awaitSome(Duration.ofDays(1));
            dependencies.poll();
        });
        while (checking.isAlive() && checking.getState() != Thread.State.TIMED_WAITING) {
            Thread.onSpinWait();
        }
        assertThat(checking.isAlive()).as("the thread waits").isTrue();

        hold("r2", "r1");
        checking.join();

        assertThat(ready()).containsExactly("r2");
    }

    @Test
    void the_checking_thread_does_not_wait_while_the_queue_contains_a_request() {
        entry("r1", State.MOVING);
        hold("r2", "r1");
        dependencies.awaitSome(Duration.ofDays(1));
        dependencies.poll();
        journal.write(
                JournalStep.NO_OP,
                JournalEntries.in(State.DONE, "r1", time.now()),
                journal.read("r1").orElseThrow().version());
        time.advance(Duration.ofSeconds(1));

        dependencies.awaitSome(Duration.ofDays(1));
        dependencies.poll();

        assertThat(ready()).containsExactly("r2");
    }

    @Test
    void the_wait_ends_although_no_request_is_added() {
        dependencies.awaitSome(Duration.ofMillis(1));

        assertThat(ready()).isEmpty();
    }

    @Test
    void two_thousand_waiting_requests_do_not_delay_a_request_that_may_begin() {
        entry("ended", State.CLOSED);
        for (int i = 0; i < 1_000; i++) {
            hold("w" + i, "never-" + i);
        }
        hold("r", "ended");
        for (int i = 1_000; i < 2_000; i++) {
            hold("w" + i, "never-" + i);
        }

        checkFor(Duration.ofSeconds(1));

        assertThat(ready()).containsExactly("r");
    }

    @Test
    void forgets_the_requests_of_a_lost_partition() {
        entry("r1", State.CLOSED);
        hold("r2", "never");
        hold("r3", "r1");
        checkFor(Duration.ofSeconds(1));
        assertThat(dependencies.size()).isEqualTo(2);

        assignment.giveUp();
        checkFor(Duration.ofSeconds(1));

        assertThat(ready()).isEmpty();
        assertThat(dependencies.size()).isZero();
        assertThat(assignment.queue().position()).hasValue(0);
    }

    @Test
    void a_request_with_an_unreadable_predecessor_does_not_delay_the_others() {
        control.create("rename:r1", "no entry at all");
        entry("r3", State.CLOSED);
        hold("r2", "r1");
        hold("r4", "r3");
        hold("r5", "r1");

        checkFor(Duration.ofHours(1));

        assertThat(ready()).containsExactly("r4");
        assertThat(dependencies.size()).isEqualTo(2);
    }

    @Test
    void checks_requests_together_again_after_a_missing_answer() {
        control.create("rename:r1", "no entry at all");
        entry("ended", State.CLOSED);
        AtomicBoolean isUnavailable = new AtomicBoolean(true);
        ForwardingJournal answeringGroupsOnly = new ForwardingJournal() {
            @Override
            public Journal journal() {
                return journal;
            }

            @Override
            public List<Versioned<JournalEntry>> read(Collection<String> requestIds) {
                if (isUnavailable.get() && requestIds.size() <= 2) { // a request and its predecessor
                    throw new NoAnswerException("unavailable", null);
                }
                return journal.read(requestIds);
            }
        };
        DependencyQueue dependencies =
                new DependencyQueue(new Predecessors(answeringGroupsOnly), time, PATIENCE, () -> false, () -> {});
        dependencies.add(assignment, queued("r2", "r1"));
        dependencies.add(assignment, queued("r3", "ended"));
        dependencies.add(assignment, queued("r4", "ended"));
        dependencies.poll();
        assertThat(dependencies.next(any -> true)).isEmpty();

        isUnavailable.set(false);
        time.advance(DependencyQueue.TICK);
        dependencies.poll();

        assertThat(List.of(dependencies.next(any -> true), dependencies.next(any -> true)))
                .extracting(ready -> ready.orElseThrow().queued().taken().requestId())
                .containsExactlyInAnyOrder("r3", "r4");
    }

    @Test
    void checks_a_request_with_an_unreadable_predecessor_apart_after_a_missing_answer() {
        control.create("rename:r1", "no entry at all");
        entry("ended", State.MOVING);
        AtomicBoolean isUnavailable = new AtomicBoolean();
        List<Integer> withTheUnreadable = new ArrayList<>();
        ForwardingJournal counting = new ForwardingJournal() {
            @Override
            public Journal journal() {
                return journal;
            }

            @Override
            public List<Versioned<JournalEntry>> read(Collection<String> requestIds) {
                if (requestIds.contains("r1")) {
                    withTheUnreadable.add(requestIds.size());
                    if (isUnavailable.get()) {
                        throw new NoAnswerException("unavailable", null);
                    }
                }
                return journal.read(requestIds);
            }
        };
        DependencyQueue dependencies =
                new DependencyQueue(new Predecessors(counting), time, PATIENCE, () -> false, () -> {});
        dependencies.add(assignment, queued("r2", "r1"));
        dependencies.add(assignment, queued("r3", "ended"));
        dependencies.add(assignment, queued("r4", "ended"));
        dependencies.poll();
        withTheUnreadable.clear();

        isUnavailable.set(true);
        time.advance(Duration.ofSeconds(1));
        dependencies.poll();
        isUnavailable.set(false);
        time.advance(Duration.ofSeconds(1));
        dependencies.poll();

        assertThat(withTheUnreadable).hasSize(2).allMatch(asked -> asked <= 2);
    }

    @Test
    void returns_a_request_when_its_predecessor_is_readable_again() {
        control.create("rename:r1", "no entry at all");
        hold("r2", "r1");
        checkFor(Duration.ofMinutes(1));

        control.delete(
                "rename:r1",
                control.read("rename:r1", String.class).orElseThrow().version());
        entry("r1", State.CLOSED);
        checkFor(Duration.ofSeconds(1));

        assertThat(ready()).containsExactly("r2");
    }

    /**
     * The read that finds the predecessor in this state is stale: the predecessor moves. So the request must neither
     * begin nor be rejected.
     */
    @ParameterizedTest
    @EnumSource(
            value = State.class,
            names = {"PARKED", "RETRY"})
    void does_not_give_up_a_predecessor_whose_state_is_not_confirmed_by_a_write(State stale) {
        entry("r1", State.MOVING);
        Version real = journal.read("r1").orElseThrow().version();
        Versioned<JournalEntry> dirty = new Versioned<>(
                JournalEntries.in(stale, "r1", time.now()), new Version(real.seqNo() + 7, real.primaryTerm()));

        assertThat(readyAfterStaleReads(List.of(dirty))).isEmpty();
    }

    /** The node that answers the plain reads has not seen the entry. A node that has refreshed finds the entry. */
    @Test
    void does_not_give_up_a_predecessor_that_only_a_stale_node_misses() {
        entry("r1", State.MOVING);

        assertThat(readyAfterStaleReads(List.of())).isEmpty();
    }

    /** Returns the request that may begin if each plain read of its predecessor r1 returns these entries. */
    private Optional<Ready> readyAfterStaleReads(List<Versioned<JournalEntry>> answer) {
        Journal stale = new ForwardingJournal() {
            @Override
            public Journal journal() {
                return journal;
            }

            @Override
            public Optional<Versioned<JournalEntry>> read(String requestId) {
                return answer.stream().findFirst();
            }

            @Override
            public List<Versioned<JournalEntry>> read(Collection<String> requestIds) {
                return answer;
            }
        };
        DependencyQueue waiting = new DependencyQueue(new Predecessors(stale), time, PATIENCE, () -> false, () -> {});
        waiting.add(assignment, queued("r2", "r1"));
        Optional<Ready> ready = Optional.empty();
        for (int i = 0; i < 3 && ready.isEmpty(); i++) {
            waiting.poll();
            ready = waiting.next(any -> true);
            time.advance(TIMEOUT);
        }
        return ready;
    }
}
