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
import org.treerename.host.Host;
import org.treerename.host.ServiceOptions;
import org.treerename.lock.InMemoryLockStore;
import org.treerename.rename.FaultyJournal;
import org.treerename.rename.InMemoryJournal;
import org.treerename.rename.JournalEntry;
import org.treerename.rename.JournalEntry.Ownership;
import org.treerename.rename.RecordPosition;
import org.treerename.rename.State;
import org.treerename.runtime.ManualTime;
import org.treerename.store.Calls;
import org.treerename.store.InMemoryControlIndex;
import org.treerename.store.Interference;
import org.treerename.store.NoAnswerException;
import org.treerename.store.Versioned;
import picocli.CommandLine;

class JanitorGaugesTest {

    private static final Instant ASKED = Instant.parse("2026-03-01T10:00:00Z");

    private final ManualTime time = ManualTime.startingAt("2026-03-01T10:00:00Z");
    private final Host opened = CommandLine.populateCommand(
                    new ServiceOptions(),
                    "--kafka-bootstrap-servers=kafka:9092",
                    "--elasticsearch-url=http://elastic:9200",
                    "--log-format=TEXT")
            .host();
    private final Host host = new Host(opened.settings(), opened.points(), time, opened.observability());
    private final InMemoryControlIndex control = new InMemoryControlIndex();
    private final InMemoryJournal journal = new InMemoryJournal(control, new InMemoryLockStore(control));
    private final Calls calls = new Calls(Interference.none());
    private long writes;
    private final JanitorGauges gauges = JanitorGauges.of(host, new FaultyJournal(journal, calls));

    @AfterEach
    void close() {
        opened.close();
    }

    private JournalEntry entry(String requestId, State state, Instant requestedAt, String digest, long moved) {
        return entry(requestId, state, requestedAt, digest, moved, 1);
    }

    private JournalEntry attempt(long epoch) {
        return entry("r1", State.PREPARED, ASKED, "digest", 0, epoch);
    }

    private JournalEntry entry(
            String requestId, State state, Instant requestedAt, String digest, long moved, long epoch) {
        return new JournalEntry(
                requestId,
                null,
                null,
                digest,
                new RecordPosition("rename.requests", 0, 1),
                requestedAt,
                state,
                new Ownership("worker-1", epoch, "h1"),
                new JournalEntry.Waiting(0, null, null),
                new JournalEntry.Progress(9, moved, 1),
                null,
                null,
                null,
                null,
                writes++);
    }

    private void begins(String requestId, State state, Instant requestedAt) {
        journal.create(entry(requestId, state, requestedAt, "digest", 0));
    }

    private void goesOn(String requestId, State state, long moved) {
        Versioned<JournalEntry> before = journal.read(requestId).orElseThrow();
        journal.write(entry(requestId, state, before.value().requestedAt(), "digest", moved), before.version());
    }

    private void looks(Duration after) {
        time.advance(after);
        gauges.look();
    }

    private List<String> shown() {
        return host.observability().meters().shown().lines().toList();
    }

    @Test
    void a_janitor_is_ready_from_the_end_of_its_first_tick_on_whoever_answers() {
        assertThat(host.observability().health().ready().failing()).containsOnlyKeys("begun");
        calls.interfere(Interference.before("journal.olderThan PREPARED", 1, () -> {
            throw new NoAnswerException("gone", null);
        }));

        assertThatThrownBy(gauges::look).isInstanceOf(NoAnswerException.class);

        assertThat(host.observability().health().ready().failing()).isEmpty();
    }

    @Test
    void the_oldest_that_is_prepared_or_given_back_waits_since_the_log_took_it() {
        looks(Duration.ofSeconds(30));
        assertThat(shown()).contains("tree_rename_oldest_waiting_seconds 0.0");

        begins("r1", State.RETRY, ASKED.plusSeconds(20));
        begins("r2", State.PREPARED, ASKED.plusSeconds(10));
        begins("r3", State.MOVING, ASKED);
        journal.create(entry("r4", State.RETRY, ASKED, "", 0)); // of no request
        looks(JanitorGauges.BETWEEN_LOOKS);
        assertThat(shown()).contains("tree_rename_oldest_waiting_seconds 50.0");

        goesOn("r2", State.MOVING, 1);
        looks(JanitorGauges.BETWEEN_LOOKS);
        time.advance(Duration.ofSeconds(1));
        assertThat(shown()).contains("tree_rename_oldest_waiting_seconds 71.0");
    }

    @Test
    void a_rename_has_stalled_when_it_was_seen_to_come_no_further_for_five_minutes() {
        begins("r1", State.MOVING, ASKED);
        begins("r2", State.MOVING, ASKED);
        begins("r3", State.RETRY, ASKED);
        looks(Duration.ZERO);
        looks(Duration.ofMinutes(5).minusMillis(1));
        assertThat(shown()).contains("tree_rename_stalled 0.0");
        goesOn("r1", State.MOVING, 0); // tried once more
        goesOn("r2", State.MOVING, 1);

        looks(JanitorGauges.BETWEEN_LOOKS);
        assertThat(shown()).contains("tree_rename_stalled 1.0");

        goesOn("r1", State.DONE, 1);
        looks(JanitorGauges.BETWEEN_LOOKS);
        assertThat(shown()).contains("tree_rename_stalled 0.0");
    }

    /** Under a live process: no janitor takes it over, and no thread of the process may carry it. */
    @ParameterizedTest
    @EnumSource(names = {"PREPARED", "DONE", "REJECTED", "FAILED", "CANCELLED"})
    void an_open_rename_that_nobody_carries_has_stalled_in_whatever_state(State state) {
        begins("r1", state, ASKED);
        for (int i = 0; i <= 9; i++) {
            looks(JanitorGauges.BETWEEN_LOOKS);
        }
        assertThat(shown()).contains("tree_rename_stalled 0.0");

        looks(JanitorGauges.BETWEEN_LOOKS);

        assertThat(shown()).contains("tree_rename_stalled 1.0");
    }

    @Test
    void a_rename_that_tries_again_to_acquire_its_locks_has_not_stalled() {
        JournalEntry waits = entry("r1", State.PREPARED, ASKED, "digest", 0);
        journal.create(waits);
        for (int epoch = 2; epoch < 40; epoch++) {
            Versioned<JournalEntry> before = journal.read("r1").orElseThrow();
            journal.write(attempt(epoch), before.version());
            looks(JanitorGauges.BETWEEN_LOOKS);
        }

        assertThat(shown()).contains("tree_rename_stalled 0.0");
    }

    @Test
    void the_journal_is_looked_at_no_more_often_than_every_half_minute() {
        looks(Duration.ZERO);
        begins("r1", State.RETRY, ASKED);

        looks(JanitorGauges.BETWEEN_LOOKS.minusMillis(1));
        assertThat(shown()).contains("tree_rename_oldest_waiting_seconds 0.0");
        looks(Duration.ofMillis(1));
        assertThat(shown()).contains("tree_rename_oldest_waiting_seconds 30.0");
    }

    @Test
    void what_is_parked_is_counted_at_each_look() {
        AtomicInteger counted = new AtomicInteger();
        calls.interfere(Interference.before("journal.in", 1, counted::incrementAndGet));
        looks(Duration.ZERO);

        assertThat(counted).hasValue(1);
    }

    @Test
    void time_in_which_the_journal_does_not_answer_does_not_count() {
        begins("r1", State.MOVING, ASKED);
        looks(Duration.ZERO);
        time.advance(Duration.ofMinutes(4));
        calls.interfere(Interference.before("journal.olderThan PREPARED", 1, () -> {
            throw new NoAnswerException("gone", null);
        }));
        assertThatThrownBy(gauges::look).isInstanceOf(NoAnswerException.class);
        calls.interfere(Interference.none());

        looks(Duration.ofMinutes(2));
        assertThat(shown()).contains("tree_rename_stalled 0.0");
        looks(Duration.ofMinutes(5));
        assertThat(shown()).contains("tree_rename_stalled 1.0");
    }
}
