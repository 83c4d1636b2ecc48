package org.treerename.janitor.recovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.github.resilience4j.core.IntervalFunction;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.treerename.journal.Decision;
import org.treerename.journal.Deliveries;
import org.treerename.journal.Delivery;
import org.treerename.journal.ExternalWriter;
import org.treerename.journal.Journal;
import org.treerename.journal.JournalEntry;
import org.treerename.journal.JournalStep;
import org.treerename.journal.Ownership;
import org.treerename.journal.StaleJournal;
import org.treerename.journal.State;
import org.treerename.journal.WriteTarget;
import org.treerename.lock.Hold;
import org.treerename.namespace.Granularity;
import org.treerename.path.TreePath;
import org.treerename.process.ProcessId;
import org.treerename.process.ProcessState;
import org.treerename.rename.Cancellation;
import org.treerename.rename.Cancellation.Answer;
import org.treerename.rename.Renamer;
import org.treerename.request.OnExisting;
import org.treerename.request.Outcome;
import org.treerename.request.Status;
import org.treerename.runtime.Backoff;
import org.treerename.store.Calls;
import org.treerename.store.Death;
import org.treerename.store.Interference;
import org.treerename.store.NoAnswerException;
import org.treerename.store.Version;
import org.treerename.store.Versioned;
import org.treerename.tree.RefusingTreeStore;
import org.treerename.tree.Rename;
import org.treerename.tree.TreeStore;
import org.treerename.worker.Predecessors;

class CancellationTest {

    /** The number of writes that finish a cancelled rename: take over, release, publish, close. */
    private static final int FINISHING = 4;

    private final World world = new World().withTree();
    private final Delivery aToB = Deliveries.of(Deliveries.rename("r1", "files", "/a", "/b"));
    private final Calls calls = new Calls(Interference.none());
    private final Cancellation cancellation = cancellation(world, calls.around(Journal.class, world.journal));

    private static Cancellation cancellation(World world, Journal journal) {
        Backoff.Factory pauses = new Backoff.Factory(world.time, IntervalFunction.of(Duration.ofMillis(100)));
        return new Cancellation(journal, world.time, pauses);
    }

    private void cancel() {
        assertThat(cancellation.cancel("r1", "me")).isInstanceOf(Answer.Cancelled.class);
    }

    private void assertCancelled() {
        assertCancelled(world);
    }

    private static void assertCancelled(World world) {
        assertThat(world.outcome("r1"))
                .returns(Status.CANCELLED, Outcome::status)
                .returns(null, Outcome::reason)
                .returns("cancelled by me before it was decided", Outcome::message)
                .returns(0L, Outcome::moved)
                .returns("cancel-r1", Outcome::processId)
                .returns(Deliveries.APPENDED, Outcome::requestedAt)
                .returns(null, Outcome::committedAt);
        assertThat(world.paths()).isEqualTo(World.treeAt("/a"));
        world.assertQuiet();
    }

    /** Returns a world with a PREPARED rename that holds its locks and whose process is dead. */
    private static World preparedAndDead() {
        World world = new World().withTree();
        Delivery delivery = Deliveries.of(Deliveries.rename("r1", "files", "/a", "/b"));
        world.calls.interfere(Death.after("journal.prepare", 1));
        assertThat(Death.of(() -> world.renamer().run(delivery))).isTrue();
        world.calls.interfere(Interference.none());
        return world;
    }

    private static void cancel(World world) {
        assertThat(cancellation(world, world.journal).cancel("r1", "me")).isInstanceOf(Answer.Cancelled.class);
    }

    @Test
    void a_waiting_rename_is_cancelled_and_closed_by_its_own_worker() {
        world.heldByAnother("/a/d", "/c");
        world.time.plan(Duration.ofSeconds(2), this::cancel);

        Renamer.Answer answer = world.renamer().run(aToB);

        assertThat(answer)
                .isEqualTo(new Renamer.Answer.Published(world.outcomes.of("r1").getFirst()));
        assertThat(world.locks.tables())
                .allSatisfy(lock -> assertThat(lock.claims()).doesNotContainKey("r1"));
        world.otherEnds("/a/d", "/c");
        assertCancelled();
    }

    @Test
    void a_commit_after_a_cancellation_has_no_effect() {
        world.calls.interfere(Interference.before("journal.write MOVING", 1, this::cancel));

        world.renamer().run(aToB);

        assertCancelled();
    }

    @Test
    void a_cancellation_releases_the_locks_of_all_documents() {
        World documents = new World(Granularity.DOCUMENT).withTree();
        documents.calls.interfere(Interference.before("journal.write MOVING", 1, () -> cancel(documents)));

        documents.renamer().run(aToB);

        assertCancelled(documents);
    }

    @Test
    void an_attempt_that_finds_a_cancellation_releases_its_locks() {
        world.heldByAnother("/a/d", "/c");
        world.time.plan(Duration.ofSeconds(1), () -> world.otherEnds("/a/d", "/c"));
        world.calls.interfere(Interference.before("journal.prepare", 2, this::cancel));

        world.renamer().run(aToB);

        assertThat(world.calls.made())
                .extracting(Interference.Call::name)
                .filteredOn("journal.prepare"::equals)
                .hasSize(2);
        assertCancelled();
    }

    @Test
    void retries_no_unanswered_attempt_of_a_cancelled_rename() {
        world.calls.interfere(Interference.after("journal.prepare", 1, () -> {
            cancel();
            throw new NoAnswerException("the answer is lost", null);
        }));

        world.renamer().run(aToB);

        assertThat(world.calls.made())
                .extracting(Interference.Call::name)
                .filteredOn("journal.prepare"::equals)
                .hasSize(1);
        assertCancelled();
    }

    @Test
    void a_sweep_removes_the_holds_of_an_attempt_that_arrives_after_the_end() {
        world.heldByAnother("/a/d", "/c");
        world.time.plan(Duration.ofSeconds(2), this::cancel);
        world.renamer().run(aToB);
        world.otherEnds("/a/d", "/c");
        JournalEntry closed = world.entry("r1");
        Hold late = new Hold("late", "worker-1", closed.age());
        Rename rename = new Rename("r1", World.FILES, new TreePath("/a"), new TreePath("/b"), OnExisting.FAIL);
        world.journal.prepare(new Journal.Attempt(
                JournalStep.ATTEMPT,
                JournalEntry.prepared(aToB, closed.ownership()),
                null,
                null,
                late,
                rename.lockSet()));
        assertThat(world.locks.tables()).isNotEmpty();

        world.sweep("janitor-1").sweep();

        assertCancelled();
    }

    @Test
    void a_janitor_closes_a_cancelled_rename_whose_process_is_not_fenced() {
        World dead = preparedAndDead();
        dead.process("worker-1", ProcessState.LIVE);
        assertThat(dead.rollForward("janitor-1").ofDead("r1")).isEqualTo(RollForward.Result.LEFT_ALONE);

        cancel(dead);

        assertThat(dead.entry("r1")).returns(State.CANCELLED, JournalEntry::state);
        assertThat(dead.rollForward("janitor-1").ofDead("r1")).isEqualTo(RollForward.Result.CLOSED);
        assertCancelled(dead);
        assertThat(dead.processes.read(new ProcessId("cancel-r1"))).isEmpty();
        assertThat(dead.renamer("worker-2").run(aToB)).isInstanceOf(Renamer.Answer.Published.class);
        assertCancelled(dead);
    }

    @Test
    void a_released_rename_is_cancelled_and_closed_by_the_next_worker() {
        world.heldByAnother("/a/d", "/c");
        world.time.plan(Duration.ofSeconds(2), world.stop::request);
        assertThat(world.renamer().run(aToB)).isEqualTo(new Renamer.Answer.Stopped());
        assertThat(world.entry("r1").state()).isEqualTo(State.RETRY);

        cancel();

        assertThat(world.entry("r1").state()).isEqualTo(State.CANCELLED);
        assertThat(world.renamer("worker-2").run(aToB)).isInstanceOf(Renamer.Answer.Published.class);
        world.otherEnds("/a/d", "/c");
        assertCancelled();
    }

    @TestFactory
    Stream<DynamicTest> a_janitor_closes_a_cancelled_rename_after_a_worker_has_died_at_any_write() {
        World alive = preparedAndDead();
        cancel(alive);
        alive.renamer("worker-2").run(aToB);
        List<Interference.Call> all = alive.calls.writesMade();
        List<Interference.Call> finishing = all.subList(all.size() - FINISHING, all.size());
        assertThat(finishing.getFirst().name()).isEqualTo("journal.write CANCELLED");
        assertThat(finishing.getLast().name()).isEqualTo("journal.write CLOSED");
        return finishing.stream()
                .flatMap(last -> Stream.of(true, false)
                        .map(arrived -> dynamicTest((arrived ? "after " : "before ") + last, () -> {
                            World dying = preparedAndDead();
                            cancel(dying);
                            dying.calls.interfere(Death.at(last, arrived));
                            assertThat(Death.of(() -> dying.renamer("worker-2").run(aToB)))
                                    .isTrue();
                            dying.calls.interfere(Interference.none());
                            dying.process("worker-2", ProcessState.FENCED);

                            dying.rollForward("janitor-1").ofDead("r1");

                            assertCancelled(dying);
                        })));
    }

    @Test
    void a_cancelled_rename_blocks_no_dependent_request() {
        World dead = preparedAndDead();
        cancel(dead);

        assertThat(new Predecessors(dead.journal).read(List.of("r1")))
                .isEqualTo(Map.of("r1", Predecessors.Progress.ENDED));
    }

    @Test
    void a_second_cancellation_returns_the_same_outcome_before_and_after_the_close() {
        World dead = preparedAndDead();
        Answer first = cancellation(dead, dead.journal).cancel("r1", "me");
        dead.time.advance(Duration.ofSeconds(1));
        Answer second = cancellation(dead, dead.journal).cancel("r1", "another user");
        dead.rollForward("janitor-1").ofDead("r1");
        Answer third = cancellation(dead, dead.journal).cancel("r1", "another user");

        assertThat(List.of(first, second, third))
                .extracting(answer -> ((Answer.Cancelled) answer)
                        .entry()
                        .ended()
                        .orElseThrow()
                        .outcome())
                .containsOnly(dead.outcomes.of("r1").getFirst());
        assertCancelled(dead);
    }

    @Test
    void a_moving_rename_is_reported_as_decided_and_finishes() {
        Answer[] reported = new Answer[1];
        world.calls.interfere(
                Interference.after("journal.write MOVING", 1, () -> reported[0] = cancellation.cancel("r1", "me")));

        world.renamer().run(aToB);

        assertThat(reported[0])
                .isInstanceOfSatisfying(
                        Answer.AlreadyDecided.class,
                        decided -> assertThat(decided.entry().state()).isEqualTo(State.MOVING));
        assertThat(world.paths()).isEqualTo(World.treeAt("/b"));
        assertThat(world.outcome("r1").status()).isEqualTo(Status.COMPLETED);
        world.assertQuiet();
    }

    @Test
    void a_parked_rename_is_reported_as_decided_and_stays_parked() {
        TreeStore refusing = new RefusingTreeStore(
                world.tree, move -> move.document().ref().id().equals("ad1"));
        new Renamer(world.stores(refusing), world.context("worker-1")).run(aToB);

        assertThat(cancellation.cancel("r1", "me")).isInstanceOf(Answer.AlreadyDecided.class);
        assertThat(world.entry("r1").state()).isEqualTo(State.PARKED);
    }

    @Test
    void an_ended_rename_is_reported_as_decided_with_its_outcome() {
        world.renamer().run(aToB);

        Answer answer = cancellation.cancel("r1", "me");

        assertThat(answer)
                .isInstanceOfSatisfying(
                        Answer.AlreadyDecided.class,
                        decided -> assertThat(
                                        decided.entry().ended().orElseThrow().outcome())
                                .isEqualTo(world.outcomes.of("r1").getFirst()));
        assertThat(world.outcome("r1").status()).isEqualTo(Status.COMPLETED);
        world.assertQuiet();
    }

    @Test
    void a_request_without_an_entry_cannot_be_cancelled() {
        JournalEntry placeholder = JournalEntry.placeholder("held", "janitor-1", world.time.now());
        world.journal.create(JournalStep.ATTEMPT, placeholder);

        assertThat(cancellation.cancel("r1", "me")).isEqualTo(new Answer.NoEntry());
        assertThat(cancellation.cancel("held", "me")).isEqualTo(new Answer.NoEntry());
        assertThat(cancellation.find("held")).isEmpty();
        assertThat(world.journal.entries()).containsExactly(placeholder);
    }

    @Test
    void a_request_that_no_worker_has_begun_is_cancelled_and_answered_by_the_next_worker() {
        assertThat(cancellation.cancel(aToB, "me")).isInstanceOf(Answer.Cancelled.class);
        assertThat(cancellation.cancel(aToB, "another user")).isInstanceOf(Answer.Cancelled.class);

        assertThat(world.renamer().run(aToB)).isInstanceOf(Renamer.Answer.Published.class);

        assertCancelled();
    }

    @Test
    void a_janitor_answers_a_request_that_was_cancelled_before_a_worker_has_begun_it() {
        cancellation.cancel(aToB, "me");

        assertThat(world.rollForward("janitor-1").ofDead("r1")).isEqualTo(RollForward.Result.CLOSED);

        assertThat(world.renamer().run(aToB)).isInstanceOf(Renamer.Answer.Published.class);
        assertCancelled();
    }

    @Test
    void an_attempt_that_begins_after_the_cancellation_of_a_queued_request_has_no_effect() {
        world.calls.interfere(Interference.before("journal.prepare", 1, () -> cancellation.cancel(aToB, "me")));

        world.renamer().run(aToB);

        assertCancelled();
    }

    @Test
    void a_queued_request_whose_attempt_arrives_first_is_cancelled_as_a_begun_one() {
        calls.interfere(Interference.before("journal.prepare", 1, () -> {
            world.heldByAnother("/a/d", "/c");
            world.time.plan(Duration.ofSeconds(2), () -> world.otherEnds("/a/d", "/c"));
            world.stop.request();
            assertThat(world.renamer().run(aToB)).isEqualTo(new Renamer.Answer.Stopped());
        }));

        assertThat(cancellation.cancel(aToB, "me")).isInstanceOf(Answer.Cancelled.class);

        assertThat(world.renamer("worker-2").run(aToB)).isInstanceOf(Renamer.Answer.Published.class);
        world.otherEnds("/a/d", "/c");
        assertCancelled();
    }

    @Test
    void a_queued_request_completes_if_its_canceller_dies_after_the_first_write() {
        calls.interfere(Death.after("journal.prepare", 1));
        assertThat(Death.of(() -> cancellation.cancel(aToB, "me"))).isTrue();
        calls.interfere(Interference.none());
        assertThat(world.entry("r1").state()).isEqualTo(State.PREPARED);

        world.rollForward("janitor-1").ofDead("r1");
        assertThat(world.entry("r1").state()).isEqualTo(State.RETRY);
        world.renamer().run(aToB);

        assertThat(world.outcome("r1").status()).isEqualTo(Status.COMPLETED);
        assertThat(world.paths()).isEqualTo(World.treeAt("/b"));
        world.assertQuiet();
    }

    @Test
    void a_record_before_the_watermark_is_not_cancelled_because_its_entry_may_have_been_deleted() {
        world.watermark.raise(aToB.appendedAt().plusMillis(1));

        assertThat(cancellation.cancel(aToB, "me")).isEqualTo(new Answer.NoEntry());

        assertThat(cancellation.cancel("r1", "me")).isEqualTo(new Answer.NoEntry());
        assertThat(world.rollForward("janitor-1").ofDead("r1")).isEqualTo(RollForward.Result.RELEASED);
        assertThat(cancellation.cancel(aToB, "me")).isEqualTo(new Answer.NoEntry());
        assertThat(cancellation.cancel("r1", "me")).isEqualTo(new Answer.NoEntry());
        assertThat(world.outcomes.of("r1")).isEmpty();
        assertThat(world.entry("r1").state()).isEqualTo(State.RETRY);
    }

    @Test
    void refuses_to_cancel_the_locks_of_a_writer() {
        WriteTarget writeTarget = new WriteTarget("files", List.of("/a"));
        world.journal.create(
                JournalStep.ATTEMPT,
                JournalEntry.held(
                        new ExternalWriter("write-1", writeTarget, world.time.now()),
                        new Ownership("writer-1", 1, "h")));

        assertThat(cancellation.cancel("write-1", "me")).isEqualTo(new Answer.NoRename());
        assertThat(world.entry("write-1").state()).isEqualTo(State.HELD);
    }

    @Test
    void finds_an_entry_that_a_cut_off_node_does_not_have() {
        World dead = preparedAndDead();
        StaleJournal stale = new StaleJournal(dead.journal);
        stale.willShow(Optional.empty());

        assertThat(cancellation(dead, stale).cancel("r1", "me")).isInstanceOf(Answer.Cancelled.class);
    }

    @Test
    void a_rename_that_is_decided_after_the_read_is_reported_as_decided() {
        World dead = preparedAndDead();
        Versioned<JournalEntry> prepared = dead.journal.read("r1").orElseThrow();
        dead.renamer().run(aToB);
        assertThat(dead.outcome("r1").status()).isEqualTo(Status.COMPLETED);

        Answer answer =
                cancellation(dead, new StaleJournal(dead.journal, prepared)).cancel("r1", "me");

        assertThat(answer).isInstanceOf(Answer.AlreadyDecided.class);
        assertThat(dead.entry("r1").state()).isEqualTo(State.CLOSED);
    }

    @Test
    void an_unacknowledged_commit_does_not_count() {
        World dead = preparedAndDead();
        Versioned<JournalEntry> prepared = dead.journal.read("r1").orElseThrow();
        Decision decision = new Decision(dead.time.now(), "worker-1", Map.of(), List.of());
        // Elasticsearch never acknowledged this commit
        Versioned<JournalEntry> dirty = new Versioned<>(
                prepared.value().committed(decision, 5),
                new Version(prepared.version().seqNo() + 7, prepared.version().primaryTerm()));

        assertThat(cancellation(dead, new StaleJournal(dead.journal, dirty)).cancel("r1", "me"))
                .isInstanceOf(Answer.Cancelled.class);
        StaleJournal stale = new StaleJournal(dead.journal, dirty);
        assertThat(cancellation(dead, stale).find("r1"))
                .hasValueSatisfying(entry -> assertThat(entry.state()).isEqualTo(State.CANCELLED));
    }

    @Test
    void the_next_read_finds_a_cancellation_whose_answer_was_lost() {
        World dead = preparedAndDead();
        calls.interfere(Interference.answerLostAt(2));

        Answer answer =
                cancellation(dead, calls.around(Journal.class, dead.journal)).cancel("r1", "me");

        assertThat(answer).isInstanceOf(Answer.Cancelled.class);
        assertThat(calls.writesMade()).hasSize(3);
        dead.rollForward("janitor-1").ofDead("r1");
        assertCancelled(dead);
    }

    @Test
    void retries_a_cancellation_that_does_not_arrive() {
        World dead = preparedAndDead();
        calls.interfere(Interference.notArrivedAt(1));

        assertThat(cancellation(dead, calls.around(Journal.class, dead.journal)).cancel("r1", "me"))
                .isInstanceOf(Answer.Cancelled.class);
    }

    @Test
    void throws_if_elasticsearch_does_not_answer() {
        World dead = preparedAndDead();
        calls.interfere(Interference.randomly(1, 1));

        assertThatThrownBy(() -> cancellation(dead, calls.around(Journal.class, dead.journal))
                        .cancel("r1", "me"))
                .isInstanceOf(NoAnswerException.class);
        assertThat(calls.made()).hasSize(Cancellation.MOST_TRIES);
    }

    @Test
    void reads_an_undecided_rename_without_a_write_and_a_cancelled_rename_with_a_write() {
        World dead = preparedAndDead();
        Version before = dead.journal.read("r1").orElseThrow().version();
        assertThat(cancellation(dead, dead.journal).find("r1")).contains(dead.entry("r1"));
        assertThat(dead.journal.read("r1").orElseThrow().version()).isEqualTo(before);
        cancel(dead);
        Version cancelled = dead.journal.read("r1").orElseThrow().version();

        assertThat(cancellation(dead, dead.journal).find("r1")).isPresent();

        assertThat(dead.journal.read("r1").orElseThrow().version().isLaterThan(cancelled))
                .isTrue();
    }

    @Test
    void the_locks_of_a_cancelled_rename_block_no_other_rename_after_a_sweep() {
        World dead = preparedAndDead();
        cancel(dead);
        assertThat(dead.heldPaths()).containsExactly("/a", "/b");
        dead.time.plan(Duration.ofSeconds(5), () -> dead.sweep("janitor-1").sweep());

        dead.renamer("worker-2").run(Deliveries.of(Deliveries.rename("r2", "files", "/a", "/c")));

        assertThat(dead.outcome("r2").status()).isEqualTo(Status.COMPLETED);
    }
}
