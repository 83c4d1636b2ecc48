package org.treerename.rename;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.treerename.rename.JournalEntry.Decision;
import org.treerename.rename.JournalEntry.Ending;
import org.treerename.rename.JournalEntry.Ownership;
import org.treerename.rename.OwnEntry.Standing;
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
        WriteResult.Written written = (WriteResult.Written) world.journal.create(prepared);
        return new OwnEntry(
                new FaultyJournal(world.journal, world.calls),
                world.context("worker-1"),
                new Versioned<>(prepared, written.version()));
    }

    private Versioned<JournalEntry> stored() {
        return world.journal.read("r1").orElseThrow();
    }

    /** The entry stands there as we committed it, in the version of our last write. */
    private void assertStoredIsDecidedIn(Version decided) {
        assertThat(stored()).isEqualTo(new Versioned<>(committed.seenIn(decided), own.version()));
    }

    private void otherWrites(JournalEntry entry) {
        world.journal.write(entry, stored().version());
    }

    @Test
    void a_write_that_is_acknowledged_is_ours() {
        assertThat(own.write(committed)).isEqualTo(Standing.OURS);
        assertStoredIsDecidedIn(own.version());
        assertThat(own.entry()).isEqualTo(stored().value());
    }

    @Test
    void an_entry_that_others_touched_is_written_on_their_version() {
        otherWrites(prepared.touched());

        assertThat(own.write(committed)).isEqualTo(Standing.OURS);
        assertStoredIsDecidedIn(own.version());
    }

    @Test
    void where_a_request_was_delivered_again_meanwhile_is_kept() {
        Delivery again = Deliveries.again(
                Deliveries.of(Deliveries.rename("r1", "files", "/a", "/b")), 5, 6, Deliveries.APPENDED);
        otherWrites(prepared.deliveredBy(again).touched());

        assertThat(own.write(committed)).isEqualTo(Standing.OURS);
        assertThat(own.write(own.entry().progressed(1, 1))).isEqualTo(Standing.OURS);

        assertThat(stored().value().places()).containsExactlyInAnyOrder(prepared.place(), again.place());
    }

    @Test
    void a_write_that_arrived_without_an_answer_is_written_again() {
        world.calls.interfere(Interference.answerLostAt(1));

        assertThat(own.write(committed)).isEqualTo(Standing.OURS);
        assertThat(world.calls.writesMade()).hasSize(3);
        assertStoredIsDecidedIn(new Version(1, 1));
    }

    @Test
    void a_write_that_did_not_arrive_is_written_again() {
        world.calls.interfere(Interference.notArrivedAt(1));

        assertThat(own.write(committed)).isEqualTo(Standing.OURS);
        assertStoredIsDecidedIn(own.version());
    }

    @Test
    void a_read_older_than_our_own_last_write_does_not_make_us_lose_the_entry() {
        Versioned<JournalEntry> before = stored();
        own.write(committed);
        otherWrites(committed.touched());
        OwnEntry meetsStale = new OwnEntry(
                new StaleJournal(world.journal, before),
                world.context("worker-1"),
                new Versioned<>(committed, own.version()));
        JournalEntry parked = committed.parked(new JournalEntry.Parking("why", List.of()));

        assertThat(meetsStale.write(parked)).isEqualTo(Standing.OURS);
        assertThat(stored().version()).isEqualTo(meetsStale.version());
        assertThat(stored().value().state()).isEqualTo(State.PARKED);
    }

    @Test
    void a_touch_after_a_write_without_an_answer_does_not_take_it_away() {
        world.calls.interfere(Interference.answerLostAt(1));
        world.time.plan(
                Duration.ofMillis(50), () -> otherWrites(stored().value().touched()));

        assertThat(own.write(committed)).isEqualTo(Standing.OURS);
        assertStoredIsDecidedIn(new Version(1, 1));
    }

    @Test
    void an_entry_that_was_taken_over_is_lost_and_left_as_it_is() {
        JournalEntry others = TakenOver.by("janitor-1", prepared);
        otherWrites(others);

        assertThat(own.write(committed)).isEqualTo(Standing.LOST);
        assertThat(stored().value()).isEqualTo(others);
    }

    @Test
    void an_entry_that_was_taken_over_after_a_write_without_an_answer_is_lost() {
        world.calls.interfere(Interference.answerLostAt(1));
        JournalEntry others = TakenOver.by("janitor-1", committed.seenIn(new Version(1, 1)));
        world.time.plan(Duration.ofMillis(50), () -> otherWrites(others));

        assertThat(own.write(committed)).isEqualTo(Standing.LOST);
        assertThat(stored().value()).isEqualTo(others);
    }

    @Test
    void an_entry_with_another_outcome_of_the_same_process_is_lost() {
        JournalEntry failed = prepared.ended(State.FAILED, new Ending(world.time.now(), "one"));
        JournalEntry other = prepared.ended(State.FAILED, new Ending(world.time.now(), "another"));
        otherWrites(other);

        assertThat(own.write(failed)).isEqualTo(Standing.LOST);
        assertThat(stored().value()).isEqualTo(other.seenIn(stored().version()));
    }

    @Test
    void an_entry_with_another_decision_of_the_same_process_is_lost() {
        JournalEntry other =
                prepared.committed(new Decision(world.time.now(), "worker-1", Map.of("i", "other"), List.of()), 1);
        otherWrites(other);

        assertThat(own.write(committed)).isEqualTo(Standing.LOST);
        assertThat(stored().value()).isEqualTo(other.seenIn(stored().version()));
    }

    @Test
    void an_entry_with_another_hold_is_lost() {
        otherWrites(prepared.attempted(new Ownership("worker-1", 1, "h2"), prepared.waiting()));

        assertThat(own.write(committed)).isEqualTo(Standing.LOST);
    }

    @Test
    void an_entry_that_was_given_back_is_told_as_given_back() {
        otherWrites(prepared.givenBack());

        assertThat(own.write(committed)).isEqualTo(Standing.GIVEN_BACK);
        assertThat(stored().value()).isEqualTo(prepared.givenBack());
    }

    @Test
    void the_own_giving_back_may_lose_its_answer() {
        world.calls.interfere(Interference.answerLostAt(1));

        assertThat(own.write(prepared.givenBack())).isEqualTo(Standing.OURS);
        assertThat(stored().value()).isEqualTo(prepared.givenBack());
    }

    @Test
    void what_a_cut_off_node_shows_from_before_the_last_write_takes_the_entry_from_nobody() {
        StaleJournal stale = new StaleJournal(world.journal);
        OwnEntry reader = new OwnEntry(stale, world.context("worker-1"), stored());
        Versioned<JournalEntry> before = stored();
        reader.write(committed);
        otherWrites(stored().value().touched());
        stale.willShow(Optional.of(before));
        stale.willShow(Optional.of(new Versioned<>(committed, reader.version())));

        assertThat(reader.write(committed.progressed(1, 1))).isEqualTo(Standing.OURS);
        assertThat(stored()).isEqualTo(new Versioned<>(reader.entry(), reader.version()));
        assertThat(reader.entry().progress().moved()).isEqualTo(1);
    }

    @Test
    void an_entry_that_is_gone_is_lost() {
        JournalEntry elsewhere = JournalEntry.prepared(
                Deliveries.of(Deliveries.rename("r2", "files", "/a", "/b")), new Ownership("worker-1", 1, "h1"));
        OwnEntry gone =
                new OwnEntry(world.journal, world.context("worker-1"), new Versioned<>(elsewhere, own.version()));

        assertThat(gone.write(elsewhere.touched())).isEqualTo(Standing.LOST);
        assertThat(world.journal.read("r2")).isEmpty();
    }
}
