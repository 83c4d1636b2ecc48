package org.treerename.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.treerename.journal.Deliveries;
import org.treerename.journal.Delivery;
import org.treerename.journal.Journal;
import org.treerename.journal.JournalEntry;
import org.treerename.journal.JournalStep;
import org.treerename.journal.LateJournal;
import org.treerename.journal.OwnEntry;
import org.treerename.journal.Ownership;
import org.treerename.journal.StaleJournal;
import org.treerename.journal.State;
import org.treerename.journal.TakenOver;
import org.treerename.namespace.InMemoryNamespaces;
import org.treerename.path.TreePath;
import org.treerename.process.ProcessContext;
import org.treerename.rename.Completion;
import org.treerename.rename.DecidedRename;
import org.treerename.rename.LockWatch;
import org.treerename.rename.ReadBeforeCommit;
import org.treerename.rename.Renamer;
import org.treerename.rename.Renamer.Answer;
import org.treerename.rename.Stores;
import org.treerename.request.OnExisting;
import org.treerename.request.Outcome;
import org.treerename.runtime.StopSignal;
import org.treerename.store.Interference;
import org.treerename.store.NoAnswerException;
import org.treerename.store.Version;
import org.treerename.store.Versioned;
import org.treerename.tree.Rename;

/**
 * Tests renames whose process reads an outdated or unacknowledged entry, or finds that another process has changed the
 * entry.
 */
class DroppedTest {

    private final World world = new World();
    private final Delivery aToB = Deliveries.of(Deliveries.rename("r1", "files", "/a", "/b"));

    private Answer.Published published(String requestId) {
        return new Answer.Published(world.outcomes.of(requestId).getFirst());
    }

    private void takeOver(String processId) {
        var found = world.journal.read("r1").orElseThrow();
        world.journal.write(JournalStep.TAKE_OVER, TakenOver.by(processId, found.value()), found.version());
    }

    private void rollForward(String processId) {
        Rename rename = new Rename("r1", World.FILES, new TreePath("/a"), new TreePath("/b"), OnExisting.FAIL);
        Stores direct = new Stores(world.namespaces, world.journal, world.locks, world.tree, world.outcomes);
        ProcessContext context = world.context(processId);
        OwnEntry own =
                new OwnEntry(world.journal, context, world.journal.read("r1").orElseThrow());
        new Completion(direct, context, new LockWatch(world.locks)).move(own, rename, ReadBeforeCommit.NOTHING);
    }

    private long attempts() {
        return world.calls.writesMade().stream()
                .filter(call -> call.name().equals("journal.prepare"))
                .count();
    }

    /**
     * Writes the entry without a change. So the next write of the owner is refused, and the owner must read the entry.
     */
    private JournalEntry withNoOp() {
        Versioned<JournalEntry> entry = world.journal.read("r1").orElseThrow();
        world.journal.write(JournalStep.NO_OP, entry.value().withNoOp(), entry.version());
        return entry.value();
    }

    private static Versioned<JournalEntry> neverAcknowledged(JournalEntry entry) {
        return new Versioned<>(TakenOver.by("janitor-1", entry), new Version(1_000, 1));
    }

    private Renamer renamer(Journal journal) {
        Stores stores = world.stores();
        return new Renamer(
                new Stores(stores.namespaces(), journal, stores.locks(), stores.tree(), stores.outcomes()),
                world.context("worker-1"));
    }

    @Test
    void an_attempt_that_arrives_after_its_request_was_released_is_replaced_by_the_next_attempt() {
        world.withTree();
        Stores stores = world.stores();
        Stores late = new Stores(
                stores.namespaces(),
                new LateJournal(world.journal, LateJournal.Before.READ),
                stores.locks(),
                stores.tree(),
                stores.outcomes());

        new Renamer(late, world.context("worker-1")).run(aToB);

        assertThat(world.paths()).isEqualTo(World.treeAt("/b"));
        assertThat(world.entry("r1").ownership().epoch()).isEqualTo(2);
        world.assertQuiet();
    }

    @Test
    void an_attempt_that_arrives_after_the_next_one_was_sent_is_continued_by_its_own_process() {
        Stores stores = world.withTree().stores();
        Stores late = new Stores(
                stores.namespaces(),
                new LateJournal(world.journal, LateJournal.Before.PREPARE),
                stores.locks(),
                stores.tree(),
                stores.outcomes());

        new Renamer(late, world.context("worker-1")).run(aToB);

        assertThat(world.paths()).isEqualTo(World.treeAt("/b"));
        assertThat(world.entry("r1").ownership().epoch()).isEqualTo(2);
        world.assertQuiet();
    }

    @Test
    void a_rename_that_a_janitor_gave_back_before_the_commit_begins_again() {
        world.withTree();
        world.calls.interfere(Interference.before("journal.write MOVING", 1, () -> {
            var found = world.journal.read("r1").orElseThrow();
            world.journal.write(JournalStep.RETRY, found.value().released(), found.version());
        }));

        assertThat(world.renamer().run(aToB)).isEqualTo(published("r1"));
        assertThat(world.paths()).isEqualTo(World.treeAt("/b"));
        assertThat(world.entry("r1").ownership().epoch()).isEqualTo(2);
        world.assertQuiet();
    }

    @Test
    void writes_no_entry_of_a_rename_that_was_taken_over_while_it_moved() {
        world.withTree();
        Interference takenOver = Interference.before("journal.write MOVING", 2, () -> {
            takeOver("worker-2");
            world.calls.interfere(Interference.before("journal.read", 2, () -> {
                assertThat(world.paths()).containsEntry("a2", "/a/2").containsEntry("ad1", "/a/d/1");
                rollForward("worker-2");
            }));
        });
        world.calls.interfere(new Interference() {
            @Override
            public void before(Call call) {
                takenOver.before(call);
            }

            /**
             * Advances the time by {@link DecidedRename#BETWEEN_WRITES} after each page. The owner writes the entry
             * between two pages only after this time.
             */
            @Override
            public void after(Call call) {
                if (call.name().equals("tree.nextPage")) {
                    world.time.advance(DecidedRename.BETWEEN_WRITES);
                }
            }
        });

        Answer answer = world.renamer().run(aToB);

        assertThat(answer).isEqualTo(published("r1"));
        assertThat(world.paths()).isEqualTo(World.treeAt("/b"));
        assertThat(world.outcome("r1")).returns("worker-2", Outcome::processId).returns(true, Outcome::rolledForward);
        world.assertQuiet();
    }

    @Test
    void continues_a_decided_rename_that_a_cut_off_node_shows_with_another_owner() {
        world.withTree();
        StaleJournal stale = new StaleJournal(world.journal);
        world.calls.interfere(
                Interference.before("tree.scan", 1, () -> stale.willShow(Optional.of(neverAcknowledged(withNoOp())))));

        Answer answer = renamer(stale).run(aToB);

        assertThat(answer).isEqualTo(published("r1"));
        assertThat(world.paths()).isEqualTo(World.treeAt("/b"));
        assertThat(world.entry("r1").ownership())
                .returns("worker-1", Ownership::processId)
                .returns(2L, Ownership::epoch);
        world.assertQuiet();
    }

    @Test
    void parks_a_dropped_decided_rename_whose_namespace_is_deleted_and_keeps_its_locks() {
        world.withTree();
        world.calls.interfere(Interference.before("tree.scan", 1, () -> {
            throw new IllegalStateException("unexpected");
        }));
        assertThatThrownBy(() -> world.renamer().run(aToB)).hasMessage("unexpected");
        Stores stores = world.stores();
        Stores without = new Stores(
                new InMemoryNamespaces(), stores.journal(), stores.locks(), stores.tree(), stores.outcomes());

        Answer answer = new Renamer(without, world.context("worker-1")).run(aToB);

        assertThat(answer).isEqualTo(new Answer.Parked());
        JournalEntry parked = world.entry("r1");
        assertThat(parked.state()).isEqualTo(State.PARKED);
        assertThat(parked.parking()).asString().contains("files");
        assertThat(world.locks.tables())
                .allMatch(
                        lock -> lock.isHeldBy(String.valueOf(parked.ownership().holdId())))
                .hasSize(2);
    }

    @Test
    void continues_a_dropped_decided_rename_although_its_worker_stops() {
        world.withTree();
        StaleJournal stale = new StaleJournal(world.calls.around(Journal.class, world.journal));
        world.calls.interfere(Interference.before("tree.scan", 1, () -> {
            world.stop.request();
            stale.willShow(Optional.of(neverAcknowledged(withNoOp())));
            world.calls.interfere(Interference.after("journal.write MOVING", 2, () -> {
                throw new NoAnswerException("the take-over has no answer", null);
            }));
        }));

        Answer answer = renamer(stale).run(aToB);

        assertThat(answer).isEqualTo(published("r1"));
        assertThat(world.paths()).isEqualTo(World.treeAt("/b"));
        world.assertQuiet();
    }

    @Test
    void a_decided_rename_that_a_cut_off_node_shows_as_prepared_keeps_its_locks() {
        world.withTree();
        StaleJournal stale = new StaleJournal(world.calls.around(Journal.class, world.journal));
        List<Versioned<JournalEntry>> prepared = new ArrayList<>();
        world.calls.interfere(Interference.before("journal.write MOVING", 1, () -> {
            prepared.add(world.journal.read("r1").orElseThrow());
            world.calls.interfere(Interference.before("tree.scan", 1, () -> {
                stale.willShow(Optional.of(neverAcknowledged(withNoOp())));
                stale.willShow(Optional.of(prepared.getFirst()));
            }));
        }));

        Answer answer = renamer(stale).run(aToB);

        assertThat(answer).isEqualTo(published("r1"));
        assertThat(attempts()).isEqualTo(1);
        world.assertQuiet();
    }

    /**
     * Delivers the request once more before the next store call with this name, and stops this second delivery. The
     * returned list receives the answer to the second delivery.
     */
    private List<Answer> deliveredAgainBefore(String call, Renamer renamer) {
        StopSignal lost = new StopSignal();
        lost.request();
        List<Answer> answers = new ArrayList<>();
        world.calls.interfere(Interference.before(call, 1, () -> {
            world.calls.interfere(Interference.none());
            answers.add(renamer.stoppedBy(lost).run(aToB));
        }));
        return answers;
    }

    @Test
    void begins_no_second_run_of_a_request_that_is_delivered_again_while_it_runs() {
        world.withTree();
        Renamer renamer = world.renamer();
        List<Answer> answers = deliveredAgainBefore("journal.write MOVING", renamer);

        assertThat(renamer.run(aToB)).isEqualTo(published("r1"));

        assertThat(answers).containsExactly(new Answer.Stopped());
        assertThat(attempts()).isEqualTo(1);
        world.assertQuiet();
    }

    @Test
    void continues_a_failed_request_while_another_request_with_its_id_is_answered() {
        world.withTree();
        Renamer renamer = world.renamer();
        world.calls.interfere(Interference.after("journal.prepare", 1, () -> {
            throw new IllegalStateException("of an attempt");
        }));
        assertThatIllegalStateException().isThrownBy(() -> renamer.run(aToB));
        List<Answer> answers = deliveredAgainBefore("journal.prepare", renamer);

        Answer reused = renamer.run(Deliveries.of(Deliveries.rename("r1", "files", "/b", "/c")));

        assertThat(reused).isEqualTo(new Answer.Reused());
        assertThat(answers).containsExactly(published("r1"));
        assertThat(world.paths()).isEqualTo(World.treeAt("/b"));
        world.assertQuiet();
    }

    @Test
    void a_worker_that_stops_gives_back_although_it_reads_another_owner_twice() {
        world.withTree();
        world.heldByAnother("/a/d", "/c");
        StaleJournal stale = new StaleJournal(world.journal);
        world.calls.interfere(Interference.after("locks.release", 1, () -> {
            world.stop.request();
            Versioned<JournalEntry> never = neverAcknowledged(withNoOp());
            stale.willShow(Optional.of(never));
            stale.willShow(Optional.of(never));
        }));

        Answer answer = renamer(stale).run(aToB);

        assertThat(answer).isEqualTo(new Answer.Stopped());
        assertThat(world.entry("r1").state()).isEqualTo(State.RETRY);
        world.otherEnds("/a/d", "/c");
        assertThat(world.locks.tables()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"tree.examine", "tree.indices"})
    void a_worker_that_stops_gives_back_a_request_whose_tree_does_not_answer(String call) {
        world.withTree();
        world.calls.interfere(new Interference() {
            @Override
            public void before(Call now) {
                if (now.name().equals(call)) {
                    throw new NoAnswerException("503 no shard available", null);
                }
            }
        });
        world.time.plan(Duration.ofMinutes(1), world.stop::request);

        Answer answer = world.renamer().run(aToB);

        assertThat(answer).isEqualTo(new Answer.Stopped());
        assertThat(world.entry("r1").state()).isEqualTo(State.RETRY);
        assertThat(world.locks.tables()).isEmpty();
    }

    @Test
    void a_worker_that_stops_without_an_answer_makes_a_late_arrival_of_its_attempt_impossible() {
        world.withTree();
        world.heldByAnother("/a/d", "/c");
        world.time.plan(Duration.ofMillis(1), world.stop::request);

        Answer answer = renamer(new LateJournal(world.journal, LateJournal.Before.PREPARE))
                .run(aToB);

        assertThat(answer).isEqualTo(new Answer.Stopped());
        assertThat(world.entry("r1").state()).isEqualTo(State.RETRY);
        world.otherEnds("/a/d", "/c");
        assertThat(world.locks.tables()).isEmpty();
    }

    @Test
    void a_worker_that_stops_leaves_a_placeholder_to_the_next_delivery() {
        world.withTree();
        JournalEntry placeholder = JournalEntry.placeholder("r1", "janitor-1", world.time.now());
        world.journal.create(JournalStep.PLACEHOLDER, placeholder);
        StaleJournal stale = new StaleJournal(world.journal);
        JournalEntry attempt = JournalEntry.prepared(aToB, new Ownership("worker-2", 1, "hold-of-other"));
        stale.willShow(Optional.of(neverAcknowledged(attempt)));
        world.stop.request();

        Answer answer = renamer(stale).run(aToB);

        assertThat(answer).isEqualTo(new Answer.Stopped());
        assertThat(world.entry("r1")).isEqualTo(placeholder.withNoOp());
    }

    @Test
    void retries_a_prepared_rename_that_a_cut_off_node_does_not_show() {
        world.withTree();
        StaleJournal stale = new StaleJournal(world.journal);
        world.calls.interfere(Interference.after("tree.indices", 1, () -> {
            Versioned<JournalEntry> prepared = world.journal.read("r1").orElseThrow();
            world.journal.write(JournalStep.NO_OP, prepared.value().withNoOp(), prepared.version());
            stale.willShow(Optional.empty());
        }));

        Answer answer = renamer(stale).run(aToB);

        assertThat(answer).isEqualTo(published("r1"));
        assertThat(world.paths()).isEqualTo(World.treeAt("/b"));
        assertThat(world.entry("r1").waiting().refusals())
                .as("refusals by its own first hold")
                .isZero();
        world.assertQuiet();
    }

    @Test
    void parks_the_rename_at_roll_forward_if_its_index_was_created_again_after_the_commit() {
        world.withTree();
        world.calls.interfere(Interference.after("journal.write MOVING", 1, () -> {
            world.tree.createIndex(World.INDEX);
            takeOver("worker-2");
        }));
        world.time.plan(Duration.ofMillis(50), () -> rollForward("worker-2"));

        assertThat(world.renamer().run(aToB)).isEqualTo(new Answer.Parked());
    }
}
