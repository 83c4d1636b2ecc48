package org.treerename.janitor.recovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.treerename.janitor.recovery.RollForward.Result;
import org.treerename.journal.Deliveries;
import org.treerename.journal.Delivery;
import org.treerename.journal.Journal.Attempt;
import org.treerename.journal.JournalEntry;
import org.treerename.journal.JournalStep;
import org.treerename.journal.Ownership;
import org.treerename.journal.State;
import org.treerename.lock.Hold;
import org.treerename.lock.LockSet;
import org.treerename.path.TreePath;
import org.treerename.process.ProcessState;
import org.treerename.rename.Renamer;
import org.treerename.rename.Renamer.Answer;
import org.treerename.rename.Stores;
import org.treerename.request.Outcome;
import org.treerename.request.OutcomeCodec;
import org.treerename.request.Reason;
import org.treerename.request.RecordPosition;
import org.treerename.request.Status;
import org.treerename.store.Death;
import org.treerename.store.Interference;
import org.treerename.store.Interference.Call;
import org.treerename.store.NoAnswerException;
import org.treerename.store.Versioned;

/** Tests direct renames whose process dies, whose entry expires, or whose request is also in Kafka. */
class DirectDeathsTest {

    private static final Delivery KAFKA = Deliveries.of(Deliveries.rename("r1", "files", "/a", "/b"));
    private static final Delivery A_TO_B = direct(Deliveries.APPENDED);
    private static final Duration TICK = Duration.ofMillis(1);

    private static Delivery direct(Instant now) {
        return Delivery.direct(KAFKA.asked(), KAFKA.digest(), now);
    }

    /** Runs a direct rename in the given process. A process with a direct rename publishes no outcome to Kafka. */
    private static Answer run(World world, String processId, Delivery delivery) {
        Stores stores = world.stores();
        Stores own = new Stores(stores.namespaces(), stores.journal(), stores.locks(), stores.tree(), (id, text) -> {});
        return new Renamer(own, world.context(processId)).run(delivery);
    }

    private static World diedAt(Interference where) {
        World world = new World().withTree();
        world.calls.interfere(where);
        assertThat(Death.of(() -> run(world, "direct-1", A_TO_B))).isTrue();
        world.calls.interfere(Interference.none());
        world.process("direct-1", ProcessState.FENCED);
        return world;
    }

    private static World prepared() {
        return diedAt(Death.after("journal.prepare", 1));
    }

    private static List<Call> writes() {
        World world = new World().withTree();
        run(world, "direct-1", A_TO_B);
        return world.calls.made().stream().filter(Call::isWrite).toList();
    }

    private static Outcome stored(World world) {
        return OutcomeCodec.decode(world.entry("r1").ended().orElseThrow().outcome());
    }

    private static void expire(World world) {
        world.time.advance(World.ENTRY_RETENTION.plus(TICK));
        JournalCleanup cleanup = world.expiry("janitor-1");
        assertThat(cleanup.deleteClosed(cleanup.limit().orElseThrow())).isEqualTo(1);
    }

    @Test
    void a_direct_rename_ends_with_an_entry_that_names_its_time() {
        World world = new World().withTree();

        Answer answer = run(world, "direct-1", A_TO_B);

        assertThat(world.paths()).isEqualTo(World.treeAt("/b"));
        assertThat(answer)
                .isEqualTo(new Answer.Published(
                        world.entry("r1").ended().orElseThrow().outcome()));
        assertThat(world.entry("r1").place()).isEqualTo(RecordPosition.ofDirect(Deliveries.APPENDED));
        assertThat(world.entry("r1").hasRecord()).isFalse();
        assertThat(world.outcomes.log()).isEmpty();
        world.assertQuiet();
    }

    @TestFactory
    Stream<DynamicTest> a_janitor_ends_the_rename_of_a_process_that_dies_at_any_write() {
        return writes().stream()
                .flatMap(last -> Stream.of(true, false)
                        .map(arrived -> dynamicTest("dead " + (arrived ? "after " : "before ") + last, () -> {
                            World world = diedAt(Death.at(last, arrived));

                            world.rollForward("janitor-1").ofDead("r1");

                            Optional<JournalEntry> entry =
                                    world.journal.read("r1").map(Versioned::value);
                            boolean isDecided =
                                    entry.flatMap(JournalEntry::decided).isPresent();
                            assertThat(world.paths()).isEqualTo(World.treeAt(isDecided ? "/b" : "/a"));
                            if (entry.isPresent()) {
                                assertThat(stored(world).status())
                                        .isEqualTo(isDecided ? Status.COMPLETED : Status.FAILED);
                            }
                            world.assertQuiet();
                        })));
    }

    @Test
    void a_rename_that_is_not_decided_fails_and_its_outcome_is_published() {
        World world = prepared();

        Result result = world.rollForward("janitor-1").ofDead("r1");

        assertThat(result).isEqualTo(Result.CLOSED);
        assertThat(world.outcome("r1").status()).isEqualTo(Status.FAILED);
        assertThat(world.outcome("r1").reason()).isEqualTo(Reason.PROCESS_ENDED);
        assertThat(world.paths()).isEqualTo(World.treeAt("/a"));
        assertThat(run(world, "direct-2", A_TO_B))
                .isEqualTo(new Answer.Published(world.outcomes.of("r1").getFirst()));
        world.assertQuiet();
    }

    @Test
    void the_next_janitor_ends_the_rename_if_a_janitor_dies_at_any_write() {
        World counted = prepared();
        int before = counted.calls.writesMade().size();
        counted.rollForward("janitor-1").ofDead("r1");
        List<Call> writes = counted.calls
                .writesMade()
                .subList(before, counted.calls.writesMade().size());

        assertThat(writes).hasSizeGreaterThan(3);
        for (Call last : writes) {
            World world = prepared();
            world.calls.interfere(Death.at(last, true));
            RollForward dying = world.rollForward("janitor-1");
            assertThat(Death.of(() -> dying.ofDead("r1"))).isTrue();
            world.calls.interfere(Interference.none());
            world.process("janitor-1", ProcessState.FENCED);

            world.rollForward("janitor-2").ofDead("r1");

            assertThat(stored(world).reason()).isEqualTo(Reason.PROCESS_ENDED);
            world.assertQuiet();
        }
    }

    @Test
    void a_janitor_ends_direct_renames_while_the_log_does_not_answer() {
        for (World world : List.of(prepared(), diedAt(Death.after("tree.move", 1)))) {
            Stores stores = world.stores();
            Stores silent = new Stores(
                    stores.namespaces(), stores.journal(), stores.locks(), stores.tree(), (requestId, outcome) -> {
                        throw new NoAnswerException("the log does not answer", null);
                    });

            Result result = world.rollForward("janitor-1", silent).ofDead("r1");

            assertThat(result).isEqualTo(Result.CLOSED);
            world.assertQuiet();
        }
    }

    @Test
    void a_process_that_must_stop_ends_a_rename_that_waits_for_its_locks() {
        World world = new World().withTree();
        world.heldByAnother("/a", "/c");
        world.time.plan(Duration.ofSeconds(3), world.stop::request);

        run(world, "direct-1", A_TO_B);

        assertThat(stored(world).reason()).isEqualTo(Reason.PROCESS_ENDED);
        assertThat(world.entry("r1").state()).isEqualTo(State.CLOSED);
        assertThat(world.locks.tables())
                .allSatisfy(table -> assertThat(table.claims()).isEmpty());
    }

    @Test
    void the_same_request_has_one_effect_directly_and_through_the_log() {
        World directFirst = new World().withTree();
        run(directFirst, "direct-1", A_TO_B);
        directFirst.directory("new", "/a");
        directFirst.renamer("worker-1").run(KAFKA);
        World logFirst = new World().withTree();
        logFirst.renamer("worker-1").run(KAFKA);
        logFirst.directory("new", "/a");
        run(logFirst, "direct-1", A_TO_B);

        for (World world : List.of(directFirst, logFirst)) {
            assertThat(world.paths()).containsEntry("new", "/a").containsEntry("a", "/b");
            assertThat(world.outcome("r1").status()).isEqualTo(Status.COMPLETED);
            assertThat(world.entry("r1").hasRecord()).isTrue();
        }
    }

    @Test
    void a_worker_continues_a_request_of_the_log_after_the_death_of_a_direct_process() {
        World world = new World().withTree();
        world.journal.create(
                JournalStep.RETRY,
                JournalEntry.prepared(KAFKA, new Ownership("worker-0", 1, null)).released());
        // the first attempt finds the existing entry, and the second attempt changes this entry
        world.calls.interfere(Death.after("journal.prepare", 2));
        assertThat(Death.of(() -> run(world, "direct-1", A_TO_B))).isTrue();
        world.calls.interfere(Interference.none());
        world.process("direct-1", ProcessState.FENCED);

        assertThat(world.rollForward("janitor-1").ofDead("r1")).isEqualTo(Result.RELEASED);
        world.renamer("worker-1").run(KAFKA);

        assertThat(world.outcome("r1").status()).isEqualTo(Status.COMPLETED);
        world.assertQuiet();
    }

    @Test
    void an_old_entry_is_deleted_although_the_log_has_no_records() {
        World world = new World().withTree();
        run(world, "direct-1", A_TO_B);

        expire(world);

        assertThat(world.journal.entries()).isEmpty();
        assertThat(world.watermark.confirmed().at()).isAfter(A_TO_B.appendedAt());
    }

    @Test
    void the_watermark_stays_below_a_direct_rename_that_waits_for_its_locks() {
        World world = prepared();
        Delivery other =
                Delivery.direct(Deliveries.rename("r2", "files", "/ab", "/b"), "r2", Deliveries.APPENDED.plusMillis(5));
        run(world, "direct-1", other);
        world.time.advance(World.ENTRY_RETENTION.plus(TICK));
        JournalCleanup cleanup = world.expiry("janitor-1");

        assertThat(cleanup.deleteClosed(cleanup.limit().orElseThrow())).isZero();
        world.rollForward("janitor-1").ofDead("r1");
        assertThat(cleanup.deleteClosed(cleanup.limit().orElseThrow())).isEqualTo(1);
    }

    /** A late request to Elasticsearch creates the expired entry and the locks of its rename again. */
    @Test
    void an_expired_rename_that_a_late_attempt_creates_again_gets_no_second_outcome() {
        for (ProcessState owner : List.of(ProcessState.LIVE, ProcessState.FENCED)) {
            World world = new World().withTree();
            run(world, "direct-1", A_TO_B);
            expire(world);
            LockSet locks = LockSet.tree("files", new TreePath("/a"), new TreePath("/b"));
            Hold late = new Hold("late", "direct-0", A_TO_B.age());
            world.journal.prepare(new Attempt(
                    JournalStep.ATTEMPT,
                    JournalEntry.prepared(A_TO_B, new Ownership("direct-0", 1, "late")),
                    null,
                    null,
                    late,
                    locks));
            world.process("direct-0", owner);
            JournalCleanup cleanup = world.expiry("janitor-1");
            Instant limit = cleanup.limit().orElseThrow();

            if (owner == ProcessState.FENCED) {
                assertThat(world.rollForward("janitor-1").ofDead("r1")).isEqualTo(Result.RELEASED);
            }
            cleanup.recreated(limit)
                    .forEach(id -> world.rollForward("janitor-1").ofMadeAgain(id, limit));
            List<String> notDelivered = cleanup.notDelivered(limit);

            assertThat(notDelivered).isEmpty();
            assertThat(world.journal.entries()).isEmpty();
            assertThat(world.locks.tables()).isEmpty();
            assertThat(world.outcomes.log()).isEmpty();
        }
    }

    @Test
    void a_direct_rename_whose_clock_is_behind_the_watermark_is_rejected() {
        World world = new World().withTree();
        run(world, "direct-1", A_TO_B);
        expire(world);
        Delivery behind = Delivery.direct(
                Deliveries.rename("r2", "files", "/b", "/c"), "r2", Deliveries.APPENDED.minusSeconds(1));

        run(world, "direct-1", behind);

        Outcome outcome =
                OutcomeCodec.decode(world.entry("r2").ended().orElseThrow().outcome());
        assertThat(outcome.reason()).isEqualTo(Reason.EXPIRED);
        assertThat(outcome.message())
                .startsWith("requested too long ago, at 2026-03-01T09:59:59.123Z by the clock of the caller");
        assertThat(world.paths()).isEqualTo(Map.copyOf(World.treeAt("/b")));
    }
}
