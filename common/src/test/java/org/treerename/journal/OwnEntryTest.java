package org.treerename.journal;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.treerename.journal.OwnEntry.OwnedResult;
import org.treerename.rename.World;
import org.treerename.store.Interference;
import org.treerename.store.Version;
import org.treerename.store.Versioned;
import org.treerename.store.WriteResult;

class OwnEntryTest {

    private final World world = new World();
    private final JournalEntry prepared = JournalEntry.prepared(
            Deliveries.of(Deliveries.rename("r1", "files", "/a", "/b")), new Ownership("worker-1", 1, "h1"));
    private final JournalEntry committed =
            prepared.committed(new Decision(world.time.now(), "worker-1", Map.of("i", "u"), List.of()), 1);
    private final OwnEntry own = own();

    private OwnEntry own() {
        WriteResult.Written written = (WriteResult.Written) world.journal.create(JournalStep.ATTEMPT, prepared);
        return new OwnEntry(
                world.calls.around(Journal.class, world.journal),
                world.context("worker-1"),
                new Versioned<>(prepared, written.version()));
    }

    private Versioned<JournalEntry> stored() {
        return world.journal.read("r1").orElseThrow();
    }

    /** Asserts that the stored entry is the committed entry, in the version that {@code own} wrote last. */
    private void assertStoredIsDecidedIn(Version decided) {
        assertThat(stored()).isEqualTo(new Versioned<>(committed.seenIn(decided), own.version()));
    }

    private void otherWrites(JournalEntry entry) {
        world.journal.write(JournalStep.NO_OP, entry, stored().version());
    }

    @Test
    void an_acknowledged_write_is_ours() {
        assertThat(own.write(JournalStep.COMMIT, committed)).isEqualTo(OwnedResult.OURS);
        assertStoredIsDecidedIn(own.version());
        assertThat(own.entry()).isEqualTo(stored().value());
    }

    @Test
    void writes_on_the_version_of_another_process_after_its_no_op_write() {
        otherWrites(prepared.withNoOp());

        assertThat(own.write(JournalStep.COMMIT, committed)).isEqualTo(OwnedResult.OURS);
        assertStoredIsDecidedIn(own.version());
    }

    @Test
    void keeps_the_time_of_a_repeated_delivery() {
        Delivery again = Deliveries.again(
                Deliveries.of(Deliveries.rename("r1", "files", "/a", "/b")), 5, 6, Deliveries.APPENDED.plusSeconds(1));
        otherWrites(prepared.deliveredBy(again).withNoOp());

        assertThat(own.write(JournalStep.COMMIT, committed)).isEqualTo(OwnedResult.OURS);
        assertThat(own.write(JournalStep.PROGRESS, own.entry().progressed(1, 1)))
                .isEqualTo(OwnedResult.OURS);

        assertThat(stored().value().repeats()).isEqualTo(new Repeats(true, again.appendedAt()));
    }

    @Test
    void repeats_a_write_that_arrived_without_an_answer() {
        world.calls.interfere(Interference.answerLostAt(1));

        assertThat(own.write(JournalStep.COMMIT, committed)).isEqualTo(OwnedResult.OURS);
        assertThat(world.calls.writesMade()).hasSize(3);
        assertStoredIsDecidedIn(new Version(1, 1));
    }

    @Test
    void repeats_a_write_that_did_not_arrive() {
        world.calls.interfere(Interference.notArrivedAt(1));

        assertThat(own.write(JournalStep.COMMIT, committed)).isEqualTo(OwnedResult.OURS);
        assertStoredIsDecidedIn(own.version());
    }

    @Test
    void ignores_a_read_that_is_older_than_its_last_write() {
        Versioned<JournalEntry> before = stored();
        own.write(JournalStep.COMMIT, committed);
        otherWrites(committed.withNoOp());
        OwnEntry meetsStale = new OwnEntry(
                new StaleJournal(world.journal, before),
                world.context("worker-1"),
                new Versioned<>(committed, own.version()));
        JournalEntry parked = committed.parked(new Parking("why", List.of()));

        assertThat(meetsStale.write(JournalStep.PARK, parked)).isEqualTo(OwnedResult.OURS);
        assertThat(stored().version()).isEqualTo(meetsStale.version());
        assertThat(stored().value().state()).isEqualTo(State.PARKED);
    }

    @Test
    void keeps_the_entry_if_a_no_op_write_follows_a_write_without_an_answer() {
        world.calls.interfere(Interference.answerLostAt(1));
        world.time.plan(
                Duration.ofMillis(50), () -> otherWrites(stored().value().withNoOp()));

        assertThat(own.write(JournalStep.COMMIT, committed)).isEqualTo(OwnedResult.OURS);
        assertStoredIsDecidedIn(new Version(1, 1));
    }

    @Test
    void an_entry_that_was_taken_over_is_lost_and_not_changed() {
        JournalEntry others = TakenOver.by("janitor-1", prepared);
        otherWrites(others);

        assertThat(own.write(JournalStep.COMMIT, committed)).isEqualTo(OwnedResult.LOST);
        assertThat(stored().value()).isEqualTo(others);
    }

    @Test
    void an_entry_that_was_taken_over_after_a_write_without_an_answer_is_lost() {
        world.calls.interfere(Interference.answerLostAt(1));
        JournalEntry others = TakenOver.by("janitor-1", committed.seenIn(new Version(1, 1)));
        world.time.plan(Duration.ofMillis(50), () -> otherWrites(others));

        assertThat(own.write(JournalStep.COMMIT, committed)).isEqualTo(OwnedResult.LOST);
        assertThat(stored().value()).isEqualTo(others);
    }

    @Test
    void an_entry_with_another_outcome_of_the_same_process_is_lost() {
        JournalEntry failed = prepared.ended(State.FAILED, new Ending(world.time.now(), "one"));
        JournalEntry other = prepared.ended(State.FAILED, new Ending(world.time.now(), "another"));
        otherWrites(other);

        assertThat(own.write(JournalStep.END, failed)).isEqualTo(OwnedResult.LOST);
        assertThat(stored().value()).isEqualTo(other.seenIn(stored().version()));
    }

    @Test
    void an_entry_with_another_decision_of_the_same_process_is_lost() {
        JournalEntry other =
                prepared.committed(new Decision(world.time.now(), "worker-1", Map.of("i", "other"), List.of()), 1);
        otherWrites(other);

        assertThat(own.write(JournalStep.COMMIT, committed)).isEqualTo(OwnedResult.LOST);
        assertThat(stored().value()).isEqualTo(other.seenIn(stored().version()));
    }

    @Test
    void an_entry_with_another_hold_is_lost() {
        otherWrites(prepared.attempted(new Ownership("worker-1", 1, "h2"), prepared.waiting()));

        assertThat(own.write(JournalStep.COMMIT, committed)).isEqualTo(OwnedResult.LOST);
    }

    @Test
    void reports_an_entry_that_was_released() {
        otherWrites(prepared.released());

        assertThat(own.write(JournalStep.COMMIT, committed)).isEqualTo(OwnedResult.RELEASED);
        assertThat(stored().value()).isEqualTo(prepared.released());
    }

    @Test
    void gives_back_although_the_answer_is_lost() {
        world.calls.interfere(Interference.answerLostAt(1));

        assertThat(own.write(JournalStep.RETRY, prepared.released())).isEqualTo(OwnedResult.OURS);
        assertThat(stored().value()).isEqualTo(prepared.released());
    }

    @Test
    void keeps_the_entry_although_a_cut_off_node_shows_a_version_before_its_last_write() {
        StaleJournal stale = new StaleJournal(world.journal);
        OwnEntry reader = new OwnEntry(stale, world.context("worker-1"), stored());
        Versioned<JournalEntry> before = stored();
        reader.write(JournalStep.COMMIT, committed);
        otherWrites(stored().value().withNoOp());
        stale.willShow(Optional.of(before));
        stale.willShow(Optional.of(new Versioned<>(committed, reader.version())));

        assertThat(reader.write(JournalStep.PROGRESS, committed.progressed(1, 1)))
                .isEqualTo(OwnedResult.OURS);
        assertThat(stored()).isEqualTo(new Versioned<>(reader.entry(), reader.version()));
        assertThat(reader.entry().progress().moved()).isEqualTo(1);
    }

    @Test
    void a_deleted_entry_is_lost() {
        JournalEntry elsewhere = JournalEntry.prepared(
                Deliveries.of(Deliveries.rename("r2", "files", "/a", "/b")), new Ownership("worker-1", 1, "h1"));
        OwnEntry gone =
                new OwnEntry(world.journal, world.context("worker-1"), new Versioned<>(elsewhere, own.version()));

        assertThat(gone.write(JournalStep.NO_OP, elsewhere.withNoOp())).isEqualTo(OwnedResult.LOST);
        assertThat(world.journal.read("r2")).isEmpty();
    }
}
