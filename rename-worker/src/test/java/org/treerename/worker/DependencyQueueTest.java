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
import org.treerename.lock.InMemoryLockStore;
import org.treerename.rename.ForwardingJournal;
import org.treerename.rename.InMemoryJournal;
import org.treerename.rename.Journal;
import org.treerename.rename.JournalEntry;
import org.treerename.rename.OnExisting;
import org.treerename.rename.ParsedRequest.RenameRequest;
import org.treerename.rename.Predecessors;
import org.treerename.rename.Renamer.Answer;
import org.treerename.rename.State;
import org.treerename.runtime.ManualTime;
import org.treerename.runtime.StopSignal;
import org.treerename.store.InMemoryControlIndex;
import org.treerename.store.NoAnswerException;
import org.treerename.store.Versioned;
import org.treerename.wire.RequestCodec;
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
    private final AtomicBoolean gone = new AtomicBoolean();
    private int woken;
    private final DependencyQueue dependencies =
            new DependencyQueue(new Predecessors(journal), time, PATIENCE, gone::get, () -> woken++);
    private final Assignment assignment = new Assignment(
            new TopicPartition("rename.requests", 0), new StopSignal(), delivery -> new Answer.Stopped());
    private long offset;

    /** One that overlaps no other, in its turn. */
    private Queued queued(String requestId, String... after) {
        RenameRequest request =
                new RenameRequest(requestId, "files", "/" + requestId, "/to-" + requestId, OnExisting.FAIL, null);
        byte[] value = RequestCodec.encode(request, List.of(after));
        assignment
                .queue()
                .add(
                        ReceivedRecord.of(new ConsumerRecord<>("rename.requests", 0, offset++, null, value)),
                        new Footprint.Nothing());
        return assignment.queue().begin().orElseThrow();
    }

    private void hold(String requestId, String... after) {
        dependencies.add(assignment, queued(requestId, after));
    }

    private void entry(String requestId, State state) {
        journal.create(JournalEntries.in(state, requestId, time.now()));
    }

    private void become(String requestId, State state) {
        journal.write(
                JournalEntries.in(state, requestId, time.now()),
                journal.read(requestId).orElseThrow().version());
    }

    /** As the loop does that calls it, for so long. */
    private void lookFor(Duration length) {
        for (Duration looked = Duration.ZERO;
                looked.compareTo(length) < 0;
                looked = looked.plus(DependencyQueue.TICK)) {
            dependencies.look();
            time.advance(DependencyQueue.TICK);
        }
    }

    private List<String> ready() {
        List<String> ready = new ArrayList<>();
        for (Optional<Ready> next = dependencies.next(); next.isPresent(); next = dependencies.next()) {
            ready.add(next.get().queued().taken().requestId()
                    + (next.get().unmet() == null
                            ? ""
                            : " without " + next.get().unmet()));
        }
        return ready;
    }

    @Test
    void frees_a_request_when_all_that_it_names_have_ended() {
        entry("r1", State.MOVING);
        entry("r2", State.CLOSED);
        hold("r3", "r1", "r2");
        hold("r4", "r2");

        lookFor(Duration.ofHours(3));

        assertThat(ready()).containsExactly("r4");
        assertThat(woken).isEqualTo(1);
        assertThat(dependencies.size()).isEqualTo(1);
        journal.write(
                JournalEntries.in(State.DONE, "r1", time.now()),
                journal.read("r1").orElseThrow().version());
        lookFor(Duration.ofSeconds(1));
        assertThat(ready()).containsExactly("r3");
        assertThat(dependencies.size()).isZero();
    }

    @Test
    void frees_a_request_after_the_timeout_without_an_unknown_predecessor() {
        hold("r2", "r1");

        lookFor(TIMEOUT.minusSeconds(1));
        assertThat(ready()).isEmpty();
        lookFor(Duration.ofSeconds(2));

        assertThat(ready()).containsExactly("r2 without r1 (UNKNOWN)");
    }

    @Test
    void time_in_which_no_request_may_begin_does_not_count() {
        hold("r2", "r1");
        lookFor(TIMEOUT.minusSeconds(1));

        gone.set(true);
        lookFor(TIMEOUT.multipliedBy(2));
        assertThat(ready()).isEmpty();
        gone.set(false);
        lookFor(Duration.ofMillis(500));
        assertThat(ready()).isEmpty();
        entry("r1", State.CLOSED);
        lookFor(Duration.ofSeconds(2));

        assertThat(ready()).containsExactly("r2");
    }

    @Test
    void frees_a_request_whose_predecessor_is_parked_after_the_lock_wait() {
        entry("r1", State.PARKED);
        hold("r2", "r1");

        lookFor(LOCK_WAIT.minusSeconds(1));
        assertThat(ready()).isEmpty();
        lookFor(Duration.ofSeconds(2));

        assertThat(ready()).containsExactly("r2 without r1 (PARKED)");
    }

    @Test
    void frees_a_request_whose_predecessor_was_given_back_and_is_carried_by_nobody() {
        entry("r1", State.RETRY);
        hold("r2", "r1");
        dependencies.look();
        time.advance(TIMEOUT.minusNanos(1));
        dependencies.look();
        assertThat(ready()).isEmpty();

        time.advance(Duration.ofSeconds(1));
        dependencies.look();

        assertThat(ready()).containsExactly("r2 without r1 (GIVEN_BACK)");
    }

    @Test
    void waits_on_for_a_parked_predecessor_that_goes_on() {
        entry("r1", State.PARKED);
        hold("r2", "r1");
        lookFor(LOCK_WAIT.minusSeconds(1));

        become("r1", State.MOVING);
        lookFor(LOCK_WAIT);
        become("r1", State.PARKED);
        lookFor(LOCK_WAIT.minusSeconds(1));
        assertThat(ready()).isEmpty();
        become("r1", State.DONE);
        lookFor(Duration.ofSeconds(1));

        assertThat(ready()).containsExactly("r2");
    }

    @Test
    void looks_again_for_a_missing_predecessor_when_its_successor_begins_late() {
        hold("r2", "r1");
        lookFor(TIMEOUT.plusSeconds(1));
        time.advance(Duration.ofSeconds(5));
        entry("r1", State.CLOSED);

        assertThat(ready()).isEmpty();
        assertThat(dependencies.size()).isEqualTo(1);
        lookFor(Duration.ofSeconds(1));

        assertThat(ready()).containsExactly("r2");
        assertThat(dependencies.size()).isZero();
    }

    /** Returns a new one whose journal does not answer the looks while {@code silent} is true. */
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
    void time_in_which_the_journal_gives_no_answer_does_not_count() {
        AtomicBoolean silent = new AtomicBoolean();
        DependencyQueue waiting = withJournalThatMayBeSilent(silent);
        waiting.add(assignment, queued("r2", "r1"));
        waiting.look();

        silent.set(true);
        for (int i = 0; i < 100; i++) {
            time.advance(TIMEOUT.dividedBy(10));
            waiting.look();
            assertThat(waiting.next()).isEmpty();
        }
        silent.set(false);
        time.advance(Duration.ofSeconds(1));
        waiting.look();
        assertThat(waiting.next()).isEmpty();
        time.advance(TIMEOUT);
        waiting.look();

        assertThat(waiting.next())
                .hasValueSatisfying(ready -> assertThat(ready.unmet()).isNotNull());
    }

    @Test
    void a_journal_without_an_answer_makes_no_predecessor_missing() {
        AtomicBoolean silent = new AtomicBoolean(true);
        DependencyQueue waiting = withJournalThatMayBeSilent(silent);
        waiting.add(assignment, queued("r2", "r1"));
        for (int i = 0; i < 100; i++) {
            waiting.look();
            time.advance(TIMEOUT.dividedBy(10));
        }
        assertThat(waiting.next()).isEmpty();

        silent.set(false);
        entry("r1", State.CLOSED);
        waiting.look();

        assertThat(waiting.next())
                .hasValueSatisfying(ready -> assertThat(ready.unmet()).isNull());
    }

    @Test
    void the_thread_that_looks_waits_until_a_request_is_held_back() throws InterruptedException {
        entry("r1", State.CLOSED);
        Thread looking = Thread.ofPlatform().start(() -> {
            dependencies.awaitSome(Duration.ofDays(1));
            dependencies.look();
        });
        while (looking.isAlive() && looking.getState() != Thread.State.TIMED_WAITING) {
            Thread.onSpinWait();
        }
        assertThat(looking.isAlive()).as("it waits").isTrue();

        hold("r2", "r1");
        looking.join();

        assertThat(ready()).containsExactly("r2");
    }

    @Test
    void the_thread_that_looks_does_not_wait_while_a_request_is_held_back() {
        entry("r1", State.MOVING);
        hold("r2", "r1");
        dependencies.awaitSome(Duration.ofDays(1));
        dependencies.look();
        journal.write(
                JournalEntries.in(State.DONE, "r1", time.now()),
                journal.read("r1").orElseThrow().version());
        time.advance(Duration.ofSeconds(1));

        dependencies.awaitSome(Duration.ofDays(1));
        dependencies.look();

        assertThat(ready()).containsExactly("r2");
    }

    @Test
    void the_wait_ends_although_no_request_is_held_back() {
        dependencies.awaitSome(Duration.ofMillis(1));

        assertThat(ready()).isEmpty();
    }

    @Test
    void two_thousand_waiting_requests_do_not_delay_one_that_may_begin() {
        entry("ended", State.CLOSED);
        for (int i = 0; i < 1_000; i++) {
            hold("w" + i, "never-" + i);
        }
        hold("r", "ended");
        for (int i = 1_000; i < 2_000; i++) {
            hold("w" + i, "never-" + i);
        }

        lookFor(Duration.ofSeconds(1));

        assertThat(ready()).containsExactly("r");
    }

    @Test
    void forgets_the_requests_of_a_lost_partition() {
        entry("r1", State.CLOSED);
        hold("r2", "never");
        hold("r3", "r1");
        lookFor(Duration.ofSeconds(1));
        assertThat(dependencies.size()).isEqualTo(2);

        assignment.giveUp();
        lookFor(Duration.ofSeconds(1));

        assertThat(ready()).isEmpty();
        assertThat(dependencies.size()).isZero();
        assertThat(assignment.queue().position()).hasValue(0);
    }

    @Test
    void a_request_with_an_unreadable_predecessor_waits_and_the_others_go_on() {
        control.create("rename:r1", "no entry at all");
        entry("r3", State.CLOSED);
        hold("r2", "r1");
        hold("r4", "r3");
        hold("r5", "r1");

        lookFor(Duration.ofHours(1));

        assertThat(ready()).containsExactly("r4");
        assertThat(dependencies.size()).isEqualTo(2);
    }

    @Test
    void looks_at_requests_together_again_after_a_missing_answer() {
        control.create("rename:r1", "no entry at all");
        entry("ended", State.CLOSED);
        AtomicBoolean isGone = new AtomicBoolean(true);
        ForwardingJournal answeringGroupsOnly = new ForwardingJournal() {
            @Override
            public Journal journal() {
                return journal;
            }

            @Override
            public List<Versioned<JournalEntry>> read(Collection<String> requestIds) {
                if (isGone.get() && requestIds.size() <= 2) { // of one request and the one it names
                    throw new NoAnswerException("gone", null);
                }
                return journal.read(requestIds);
            }
        };
        DependencyQueue dependencies =
                new DependencyQueue(new Predecessors(answeringGroupsOnly), time, PATIENCE, () -> false, () -> {});
        dependencies.add(assignment, queued("r2", "r1"));
        dependencies.add(assignment, queued("r3", "ended"));
        dependencies.add(assignment, queued("r4", "ended"));
        dependencies.look();
        assertThat(dependencies.next()).isEmpty();

        isGone.set(false);
        time.advance(DependencyQueue.TICK);
        dependencies.look();

        assertThat(List.of(dependencies.next(), dependencies.next()))
                .extracting(ready -> ready.orElseThrow().queued().taken().requestId())
                .containsExactlyInAnyOrder("r3", "r4");
    }

    @Test
    void a_request_with_an_unreadable_predecessor_stays_apart_after_a_missing_answer() {
        control.create("rename:r1", "no entry at all");
        entry("ended", State.MOVING);
        AtomicBoolean isGone = new AtomicBoolean();
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
                    if (isGone.get()) {
                        throw new NoAnswerException("gone", null);
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
        dependencies.look();
        withTheUnreadable.clear();

        isGone.set(true);
        time.advance(Duration.ofSeconds(1));
        dependencies.look();
        isGone.set(false);
        time.advance(Duration.ofSeconds(1));
        dependencies.look();

        assertThat(withTheUnreadable).hasSize(2).allMatch(asked -> asked <= 2);
    }

    @Test
    void a_request_goes_on_when_its_predecessor_is_readable_again() {
        control.create("rename:r1", "no entry at all");
        hold("r2", "r1");
        lookFor(Duration.ofMinutes(1));

        control.delete(
                "rename:r1",
                control.read("rename:r1", String.class).orElseThrow().version());
        entry("r1", State.CLOSED);
        lookFor(Duration.ofSeconds(1));

        assertThat(ready()).containsExactly("r2");
    }
}
