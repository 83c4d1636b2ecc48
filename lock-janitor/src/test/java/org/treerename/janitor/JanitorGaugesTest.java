package org.treerename.janitor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.treerename.journal.InMemoryJournal;
import org.treerename.journal.Journal;
import org.treerename.journal.JournalEntry;
import org.treerename.journal.JournalStep;
import org.treerename.journal.Progress;
import org.treerename.journal.State;
import org.treerename.journal.TestEntry;
import org.treerename.lock.InMemoryLockStore;
import org.treerename.request.RecordPosition;
import org.treerename.runtime.ManualTime;
import org.treerename.service.Host;
import org.treerename.service.Instrumentation;
import org.treerename.service.ServiceOptions;
import org.treerename.store.Calls;
import org.treerename.store.InMemoryControlIndex;
import org.treerename.store.Interference;
import org.treerename.store.NoAnswerException;
import org.treerename.store.Versioned;
import picocli.CommandLine;

class JanitorGaugesTest {

    private static final Instant REQUESTED_AT = Instant.parse("2026-03-01T10:00:00Z");

    private final ManualTime time = ManualTime.startingAt("2026-03-01T10:00:00Z");
    private final Host opened = CommandLine.populateCommand(
                    new ServiceOptions(),
                    "--kafka-bootstrap-servers=kafka:9092",
                    "--elasticsearch-url=http://elastic:9200",
                    "--log-format=TEXT")
            .host(Instrumentation.NONE);
    private final Host host = new Host(opened.settings(), opened.instrumentation(), time, opened.observability());
    private final InMemoryControlIndex control = new InMemoryControlIndex();
    private final InMemoryJournal journal = new InMemoryJournal(control, new InMemoryLockStore(control));
    private final Calls calls = new Calls(Interference.none());
    private long writes;
    private final JanitorGauges gauges = JanitorGauges.of(host, calls.around(Journal.class, journal));

    @AfterEach
    void close() {
        opened.close();
    }

    private JournalEntry entry(String requestId, State state, Instant requestedAt, long moved) {
        return entry(requestId, state, requestedAt, moved, 1);
    }

    private JournalEntry attempt(long epoch) {
        return entry("r1", State.PREPARED, REQUESTED_AT, 0, epoch);
    }

    private JournalEntry entry(String requestId, State state, Instant requestedAt, long moved, long epoch) {
        return TestEntry.of(requestId)
                .place(new RecordPosition("rename.requests", 0, 1))
                .at(requestedAt)
                .in(state)
                .owner("worker-1", epoch, "h1")
                .progress(new Progress(9, moved, 1))
                .noOps(writes++)
                .build();
    }

    private void create(String requestId, State state, Instant requestedAt) {
        journal.create(JournalStep.ATTEMPT, entry(requestId, state, requestedAt, 0));
    }

    private void update(String requestId, State state, long moved) {
        Versioned<JournalEntry> before = journal.read(requestId).orElseThrow();
        journal.write(
                JournalStep.NO_OP, entry(requestId, state, before.value().requestedAt(), moved), before.version());
    }

    private void lookAfter(Duration after) {
        time.advance(after);
        gauges.poll();
    }

    private List<String> shown() {
        return host.observability().meters().shown().lines().toList();
    }

    @Test
    void a_janitor_is_ready_after_its_first_tick_even_without_an_answer() {
        assertThat(host.observability().health().ready().failing()).containsOnlyKeys("begun");
        calls.interfere(Interference.before("journal.olderThan PREPARED", 1, () -> {
            throw new NoAnswerException("gone", null);
        }));

        assertThatThrownBy(gauges::poll).isInstanceOf(NoAnswerException.class);

        assertThat(host.observability().health().ready().failing()).isEmpty();
    }

    @Test
    void counts_the_entries_that_need_a_process_and_the_parked_renames() {
        lookAfter(Duration.ofSeconds(30));
        assertThat(shown()).contains("tree_rename_open 0.0", "tree_rename_parked 0.0");

        create("r1", State.MOVING, REQUESTED_AT);
        create("r2", State.DONE, REQUESTED_AT);
        create("r3", State.PARKED, REQUESTED_AT);
        create("r4", State.CLOSED, REQUESTED_AT);
        lookAfter(Duration.ofSeconds(30));

        assertThat(shown()).contains("tree_rename_open 2.0", "tree_rename_parked 1.0");
    }

    @Test
    void shows_the_time_since_the_oldest_waiting_request_was_appended() {
        lookAfter(Duration.ofSeconds(30));
        assertThat(shown()).contains("tree_rename_oldest_waiting_seconds 0.0");

        create("r1", State.RETRY, REQUESTED_AT.plusSeconds(20));
        create("r2", State.PREPARED, REQUESTED_AT.plusSeconds(10));
        create("r3", State.MOVING, REQUESTED_AT);
        journal.create(JournalStep.PLACEHOLDER, JournalEntry.placeholder("r4", "worker-1", REQUESTED_AT));
        lookAfter(JanitorGauges.BETWEEN_LOOKS);
        assertThat(shown()).contains("tree_rename_oldest_waiting_seconds 50.0");

        update("r2", State.MOVING, 1);
        lookAfter(JanitorGauges.BETWEEN_LOOKS);
        time.advance(Duration.ofSeconds(1));
        assertThat(shown()).contains("tree_rename_oldest_waiting_seconds 71.0");
    }

    @Test
    void counts_a_rename_as_stalled_after_five_minutes_without_progress() {
        create("r1", State.MOVING, REQUESTED_AT);
        create("r2", State.MOVING, REQUESTED_AT);
        create("r3", State.RETRY, REQUESTED_AT);
        lookAfter(Duration.ZERO);
        lookAfter(Duration.ofMinutes(5).minusMillis(1));
        assertThat(shown()).contains("tree_rename_stalled 0.0");
        update("r1", State.MOVING, 0); // the entry is written again without progress
        update("r2", State.MOVING, 1);

        lookAfter(JanitorGauges.BETWEEN_LOOKS);
        assertThat(shown()).contains("tree_rename_stalled 1.0");

        update("r1", State.DONE, 1);
        lookAfter(JanitorGauges.BETWEEN_LOOKS);
        assertThat(shown()).contains("tree_rename_stalled 0.0");
    }

    /**
     * The owner is live, so no janitor takes the rename over. But it is possible that no thread of the owner processes
     * the rename.
     */
    @ParameterizedTest
    @EnumSource(names = {"PREPARED", "DONE", "REJECTED", "FAILED", "CANCELLED"})
    void counts_an_open_rename_without_progress_as_stalled_in_each_state(State state) {
        create("r1", state, REQUESTED_AT);
        for (int i = 0; i <= 9; i++) {
            lookAfter(JanitorGauges.BETWEEN_LOOKS);
        }
        assertThat(shown()).contains("tree_rename_stalled 0.0");

        lookAfter(JanitorGauges.BETWEEN_LOOKS);

        assertThat(shown()).contains("tree_rename_stalled 1.0");
    }

    @Test
    void a_rename_that_retries_to_acquire_its_locks_has_not_stalled() {
        JournalEntry waits = entry("r1", State.PREPARED, REQUESTED_AT, 0);
        journal.create(JournalStep.ATTEMPT, waits);
        for (int epoch = 2; epoch < 40; epoch++) {
            Versioned<JournalEntry> before = journal.read("r1").orElseThrow();
            journal.write(JournalStep.NO_OP, attempt(epoch), before.version());
            lookAfter(JanitorGauges.BETWEEN_LOOKS);
        }

        assertThat(shown()).contains("tree_rename_stalled 0.0");
    }

    @Test
    void reads_the_journal_at_most_every_30_seconds() {
        lookAfter(Duration.ZERO);
        create("r1", State.RETRY, REQUESTED_AT);

        lookAfter(JanitorGauges.BETWEEN_LOOKS.minusMillis(1));
        assertThat(shown()).contains("tree_rename_oldest_waiting_seconds 0.0");
        lookAfter(Duration.ofMillis(1));
        assertThat(shown()).contains("tree_rename_oldest_waiting_seconds 30.0");
    }

    @Test
    void counts_the_parked_renames_at_each_look() {
        AtomicInteger counted = new AtomicInteger();
        calls.interfere(Interference.before("journal.in", 1, counted::incrementAndGet));
        lookAfter(Duration.ZERO);

        assertThat(counted).hasValue(1);
    }

    @Test
    void does_not_count_time_in_which_the_journal_does_not_answer() {
        create("r1", State.MOVING, REQUESTED_AT);
        lookAfter(Duration.ZERO);
        time.advance(Duration.ofMinutes(4));
        calls.interfere(Interference.before("journal.olderThan PREPARED", 1, () -> {
            throw new NoAnswerException("gone", null);
        }));
        assertThatThrownBy(gauges::poll).isInstanceOf(NoAnswerException.class);
        calls.interfere(Interference.none());

        lookAfter(Duration.ofMinutes(2));
        assertThat(shown()).contains("tree_rename_stalled 0.0");
        lookAfter(Duration.ofMinutes(5));
        assertThat(shown()).contains("tree_rename_stalled 1.0");
    }
}
