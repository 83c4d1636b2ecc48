package org.treerename.worker;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.treerename.journal.Decision;
import org.treerename.journal.Deliveries;
import org.treerename.journal.Ending;
import org.treerename.journal.JournalEntry;
import org.treerename.journal.JournalStep;
import org.treerename.journal.Parking;
import org.treerename.journal.StaleJournal;
import org.treerename.journal.State;
import org.treerename.store.Version;
import org.treerename.store.Versioned;
import org.treerename.worker.Predecessors.Progress;

class PredecessorsTest {

    private final World world = new World().withTree();
    private final Predecessors predecessors = new Predecessors(world.journal);

    private Version version(String requestId) {
        return world.journal.read(requestId).orElseThrow().version();
    }

    @Test
    void distinguishes_missing_open_and_ended_predecessors() {
        world.heldByAnother("/x", "/y");
        world.renamer().run(Deliveries.of(Deliveries.rename("done", "files", "/a", "/b")));
        world.renamer().run(Deliveries.of(Deliveries.rename("rejected", "files", "/nowhere", "/c")));

        assertThat(predecessors.read(List.of("none", "other", "done", "rejected")))
                .isEqualTo(Map.of(
                        "none", Progress.MISSING,
                        "other", Progress.OPEN,
                        "done", Progress.ENDED,
                        "rejected", Progress.ENDED));
    }

    @Test
    void a_parked_predecessor_has_not_ended() {
        world.heldByAnother("/x", "/y");
        Versioned<JournalEntry> found = world.journal.read("other").orElseThrow();
        Decision decision = new Decision(world.time.now(), "worker-9", Map.of(), List.of());
        world.journal.write(JournalStep.COMMIT, found.value().committed(decision, 1), found.version());
        Versioned<JournalEntry> moving = world.journal.read("other").orElseThrow();
        assertThat(predecessors.read(List.of("other"))).containsEntry("other", Progress.OPEN);

        world.journal.write(JournalStep.PARK, moving.value().parked(new Parking("no", List.of())), moving.version());

        assertThat(predecessors.read(List.of("other"))).containsEntry("other", Progress.PARKED);
    }

    @Test
    void a_released_predecessor_runs_in_no_process() {
        world.heldByAnother("/x", "/y");
        Versioned<JournalEntry> found = world.journal.read("other").orElseThrow();
        assertThat(predecessors.isForCertain(State.RETRY, "other")).isFalse();

        world.journal.write(JournalStep.RETRY, found.value().released(), found.version());

        assertThat(predecessors.read(List.of("other"))).containsEntry("other", Progress.RELEASED);
        assertThat(predecessors.isForCertain(State.RETRY, "other")).isTrue();
    }

    @Test
    void touches_an_end_once_and_remembers_it() {
        world.renamer().run(Deliveries.of(Deliveries.rename("done", "files", "/a", "/b")));
        Version before = version("done");

        predecessors.read(List.of("done"));
        Version withNoOp = version("done");
        assertThat(predecessors.read(List.of("done"))).containsEntry("done", Progress.ENDED);

        assertThat(withNoOp.isLaterThan(before)).isTrue();
        assertThat(version("done")).isEqualTo(withNoOp);
        assertThat(world.entry("done").state()).isEqualTo(State.CLOSED);
    }

    @Test
    void an_unacknowledged_end_does_not_count() {
        world.heldByAnother("/x", "/y");
        Versioned<JournalEntry> open = world.journal.read("other").orElseThrow();
        Ending ending = new Ending(world.time.now(), "{}");
        // this rejection was never acknowledged
        Versioned<JournalEntry> dirty = new Versioned<>(
                open.value().ended(State.REJECTED, ending),
                new Version(open.version().seqNo() + 7, open.version().primaryTerm()));
        Predecessors cutOff = new Predecessors(new StaleJournal(world.journal, dirty));

        assertThat(cutOff.read(List.of("other"))).containsEntry("other", Progress.OPEN);
        assertThat(cutOff.read(List.of("other"))).containsEntry("other", Progress.OPEN);
    }

    @Test
    void a_write_confirms_that_a_request_is_parked() {
        world.heldByAnother("/x", "/y");
        Versioned<JournalEntry> open = world.journal.read("other").orElseThrow();
        JournalEntry moving = open.value().committed(new Decision(world.time.now(), "other", Map.of(), List.of()), 1);
        world.journal.write(JournalStep.NO_OP, moving, open.version());
        open = world.journal.read("other").orElseThrow();
        JournalEntry parked = moving.parked(new Parking("why", List.of()));
        Versioned<JournalEntry> dirty = new Versioned<>(
                parked, new Version(open.version().seqNo() + 7, open.version().primaryTerm()));
        Predecessors cutOff = new Predecessors(new StaleJournal(world.journal, dirty));
        assertThat(cutOff.read(List.of("other"))).containsEntry("other", Progress.PARKED);
        assertThat(cutOff.isForCertain(State.PARKED, "other")).isFalse();

        world.journal.write(JournalStep.NO_OP, parked, open.version());

        assertThat(new Predecessors(world.journal).isForCertain(State.PARKED, "other"))
                .isTrue();
        assertThat(new Predecessors(world.journal).isForCertain(State.PARKED, "none"))
                .isFalse();
    }

    @Test
    void confirms_that_an_entry_is_missing() {
        world.heldByAnother("/x", "/y");
        StaleJournal stale = new StaleJournal(world.journal);
        stale.willShow(Optional.empty());
        Predecessors cutOff = new Predecessors(stale);

        assertThat(cutOff.read(List.of("other"))).containsEntry("other", Progress.MISSING);
        assertThat(cutOff.isMissingForCertain("other")).isFalse();
        assertThat(cutOff.isMissingForCertain("none")).isTrue();
    }
}
