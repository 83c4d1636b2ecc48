package org.treerename.rename;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.treerename.rename.Predecessors.Standing;
import org.treerename.store.Version;
import org.treerename.store.Versioned;

class PredecessorsTest {

    private final World world = new World().withTree();
    private final Predecessors predecessors = new Predecessors(world.journal);

    private Version version(String requestId) {
        return world.journal.read(requestId).orElseThrow().version();
    }

    @Test
    void distinguishes_those_without_an_entry_those_that_are_open_and_those_that_have_ended() {
        world.heldByAnother("/x", "/y");
        world.renamer().run(Deliveries.of(Deliveries.rename("done", "files", "/a", "/b")));
        world.renamer().run(Deliveries.of(Deliveries.rename("rejected", "files", "/nowhere", "/c")));

        assertThat(predecessors.look(List.of("none", "other", "done", "rejected")))
                .isEqualTo(Map.of(
                        "none", Standing.MISSING,
                        "other", Standing.OPEN,
                        "done", Standing.ENDED,
                        "rejected", Standing.ENDED));
    }

    @Test
    void one_that_is_parked_has_not_ended() {
        world.heldByAnother("/x", "/y");
        Versioned<JournalEntry> found = world.journal.read("other").orElseThrow();
        JournalEntry.Decision decision = new JournalEntry.Decision(world.time.now(), "worker-9", Map.of(), List.of());
        world.journal.write(found.value().committed(decision, 1), found.version());
        Versioned<JournalEntry> moving = world.journal.read("other").orElseThrow();
        assertThat(predecessors.look(List.of("other"))).containsEntry("other", Standing.OPEN);

        world.journal.write(moving.value().parked(new JournalEntry.Parking("no", List.of())), moving.version());

        assertThat(predecessors.look(List.of("other"))).containsEntry("other", Standing.PARKED);
    }

    @Test
    void one_that_was_given_back_is_carried_by_nobody() {
        world.heldByAnother("/x", "/y");
        Versioned<JournalEntry> found = world.journal.read("other").orElseThrow();
        assertThat(predecessors.isForCertain(State.RETRY, "other")).isFalse();

        world.journal.write(found.value().givenBack(), found.version());

        assertThat(predecessors.look(List.of("other"))).containsEntry("other", Standing.GIVEN_BACK);
        assertThat(predecessors.isForCertain(State.RETRY, "other")).isTrue();
    }

    @Test
    void an_end_is_touched_once_and_remembered() {
        world.renamer().run(Deliveries.of(Deliveries.rename("done", "files", "/a", "/b")));
        Version before = version("done");

        predecessors.look(List.of("done"));
        Version touched = version("done");
        assertThat(predecessors.look(List.of("done"))).containsEntry("done", Standing.ENDED);

        assertThat(touched.isLaterThan(before)).isTrue();
        assertThat(version("done")).isEqualTo(touched);
        assertThat(world.entry("done").state()).isEqualTo(State.CLOSED);
    }

    @Test
    void an_end_that_only_a_read_shows_is_none() {
        world.heldByAnother("/x", "/y");
        Versioned<JournalEntry> open = world.journal.read("other").orElseThrow();
        JournalEntry.Ending ending = new JournalEntry.Ending(world.time.now(), "{}");
        // nobody has acknowledged this rejection
        Versioned<JournalEntry> dirty = new Versioned<>(
                open.value().ended(State.REJECTED, ending),
                new Version(open.version().seqNo() + 7, open.version().primaryTerm()));
        Predecessors cutOff = new Predecessors(new StaleJournal(world.journal, dirty));

        assertThat(cutOff.look(List.of("other"))).containsEntry("other", Standing.OPEN);
        assertThat(cutOff.look(List.of("other"))).containsEntry("other", Standing.OPEN);
    }

    @Test
    void a_parked_request_is_parked_for_certain_when_a_write_says_so() {
        world.heldByAnother("/x", "/y");
        Versioned<JournalEntry> open = world.journal.read("other").orElseThrow();
        JournalEntry moving =
                open.value().committed(new JournalEntry.Decision(world.time.now(), "other", Map.of(), List.of()), 1);
        world.journal.write(moving, open.version());
        open = world.journal.read("other").orElseThrow();
        JournalEntry parked = moving.parked(new JournalEntry.Parking("why", List.of()));
        Versioned<JournalEntry> dirty = new Versioned<>(
                parked, new Version(open.version().seqNo() + 7, open.version().primaryTerm()));
        Predecessors cutOff = new Predecessors(new StaleJournal(world.journal, dirty));
        assertThat(cutOff.look(List.of("other"))).containsEntry("other", Standing.PARKED);
        assertThat(cutOff.isForCertain(State.PARKED, "other")).isFalse();

        world.journal.write(parked, open.version());

        assertThat(new Predecessors(world.journal).isForCertain(State.PARKED, "other"))
                .isTrue();
        assertThat(new Predecessors(world.journal).isForCertain(State.PARKED, "none"))
                .isFalse();
    }

    @Test
    void what_is_missing_is_asked_for_certain() {
        world.heldByAnother("/x", "/y");
        StaleJournal stale = new StaleJournal(world.journal);
        stale.willShow(Optional.empty());
        Predecessors cutOff = new Predecessors(stale);

        assertThat(cutOff.look(List.of("other"))).containsEntry("other", Standing.MISSING);
        assertThat(cutOff.isMissingForCertain("other")).isFalse();
        assertThat(cutOff.isMissingForCertain("none")).isTrue();
    }
}
