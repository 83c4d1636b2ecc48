package org.treerename.janitor.recovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.treerename.janitor.recovery.RollForward.Result;
import org.treerename.journal.Deliveries;
import org.treerename.journal.Delivery;
import org.treerename.journal.Ending;
import org.treerename.journal.Journal.Attempt;
import org.treerename.journal.JournalEntry;
import org.treerename.journal.JournalStep;
import org.treerename.journal.Ownership;
import org.treerename.journal.State;
import org.treerename.journal.Watermark.Mark;
import org.treerename.lock.Hold;
import org.treerename.lock.LockMode;
import org.treerename.lock.LockPriority;
import org.treerename.lock.LockSet;
import org.treerename.path.TreePath;
import org.treerename.process.ProcessState;
import org.treerename.rename.Renamer;
import org.treerename.rename.Renamer.Answer;
import org.treerename.request.InMemoryRequestLog;
import org.treerename.request.Outcome;
import org.treerename.request.OutcomeCodec;
import org.treerename.request.Reason;
import org.treerename.request.RequestLog;
import org.treerename.request.Status;
import org.treerename.runtime.ManualTime;
import org.treerename.store.Death;
import org.treerename.store.Interference;
import org.treerename.store.Interference.Call;
import org.treerename.store.NoAnswerException;
import org.treerename.store.Versioned;
import org.treerename.tree.RefusingTreeStore;

class JournalCleanupTest {

    private static final Delivery A_TO_B =
            Deliveries.of(Deliveries.rename("r1", "files", "/a", "/b"), 41, Deliveries.APPENDED);
    private static final Duration TICK = Duration.ofMillis(1);

    private final World world = closed();

    /** Returns a world in which r1 is completed and closed. A new tree is at the source of r1. */
    private static World closed() {
        World world = new World().withTree();
        world.renamer().run(A_TO_B);
        world.directory("new", "/a");
        world.file("new1", "/a/1");
        return world;
    }

    private static Map<String, String> once() {
        Map<String, String> paths = new TreeMap<>(World.treeAt("/b"));
        paths.put("new", "/a");
        paths.put("new1", "/a/1");
        return paths;
    }

    private static void grownOld(World world) {
        world.time.advance(World.ENTRY_RETENTION.plus(TICK));
    }

    private static int expire(World world) {
        JournalCleanup expiry = world.expiry("janitor-1");
        return expiry.deleteClosed(expiry.limit().orElseThrow());
    }

    private static List<String> statuses(World world) {
        return world.outcomes.of("r1").stream()
                .map(OutcomeCodec::decode)
                .map(outcome -> outcome.status() + " " + outcome.reason())
                .toList();
    }

    /** Delivers r1 once more. Asserts that r1 has moved its tree only once, and that each delivery has an outcome. */
    private static void assertOnce(World world) {
        world.renamer("worker-9").run(A_TO_B);

        assertThat(world.paths()).isEqualTo(once());
        assertThat(statuses(world)).startsWith("COMPLETED null").hasSizeLessThanOrEqualTo(2);
        assertThat(statuses(world).getLast()).isIn("COMPLETED null", "REJECTED EXPIRED");
        world.assertQuiet();
    }

    private static Instant watermark(World world) {
        return world.watermark.confirmed().at();
    }

    @Test
    void deletes_an_old_closed_entry_and_raises_the_watermark_past_its_record() {
        world.time.advance(World.ENTRY_RETENTION);
        int early = expire(world);
        world.time.advance(TICK);

        int deleted = expire(world);

        assertThat(early).isZero();
        assertThat(deleted).isEqualTo(1);
        assertThat(world.journal.entries()).isEmpty();
        assertThat(watermark(world))
                .isAfter(A_TO_B.appendedAt())
                .isEqualTo(world.time.now().minus(World.ENTRY_RETENTION));
    }

    @Test
    void keeps_an_entry_as_long_as_the_log_keeps_its_record() {
        JournalCleanup expiry =
                world.expiry("janitor-1", new InMemoryRequestLog(() -> Optional.of(Duration.ofDays(30))));
        grownOld(world);
        assertThat(expiry.deleteClosed(expiry.limit().orElseThrow())).isZero();

        world.time.advance(Duration.ofDays(22));

        assertThat(expiry.deleteClosed(expiry.limit().orElseThrow())).isEqualTo(1);
    }

    @Test
    void deletes_nothing_if_the_log_keeps_its_records_forever() {
        assertThat(world.expiry("janitor-1", new InMemoryRequestLog(Optional::empty))
                        .limit())
                .isEmpty();
    }

    @Test
    void keeps_an_entry_while_a_request_is_unfinished_that_may_be_its_repetition() {
        Instant repeatedAt = world.time.now().plus(World.ENTRY_RETENTION.dividedBy(2));
        world.log.unfinishedSince(repeatedAt);
        grownOld(world);

        assertThat(world.expiry("janitor-1").limit())
                .hasValueSatisfying(limit -> assertThat(limit).isBefore(repeatedAt.minus(World.ENTRY_RETENTION)));
        assertThat(expire(world)).isZero();

        world.log.unfinishedSince(Instant.MAX);
        assertThat(expire(world)).isEqualTo(1);
    }

    @Test
    void deletes_nothing_if_a_request_is_never_finished() {
        world.log.unfinishedSince(Instant.EPOCH);
        grownOld(world);

        assertThat(world.expiry("janitor-1").limit()).isEmpty();
    }

    @Test
    void deletes_nothing_because_of_a_clock_that_is_days_ahead_of_the_clock_of_the_store() {
        ManualTime ofTheStore = ManualTime.startingAt("2026-03-01T10:00:05Z");
        JournalCleanup expiry = world.expiry(
                "janitor-1", world.log, to -> new Mark(world.watermark.raise(to).at(), ofTheStore.now()));
        world.time.advance(Duration.ofDays(400));
        int ahead = expiry.deleteClosed(expiry.limit().orElseThrow());
        List<String> givenUp = expiry.notDelivered(expiry.limit().orElseThrow());

        ofTheStore.advance(World.ENTRY_RETENTION.plus(TICK));

        assertThat(ahead).isZero();
        assertThat(givenUp).isEmpty();
        assertThat(expiry.deleteClosed(expiry.limit().orElseThrow())).isEqualTo(1);
    }

    @Test
    void deletes_nothing_because_of_a_store_whose_clock_is_days_ahead() {
        JournalCleanup expiry = world.expiry(
                "janitor-1", world.log, to -> new Mark(world.watermark.raise(to).at(), Instant.MAX));

        assertThat(expiry.limit()).contains(world.time.now().minus(World.ENTRY_RETENTION));
        assertThat(expiry.deleteClosed(expiry.limit().orElseThrow())).isZero();
    }

    @Test
    void keeps_an_entry_while_an_entry_with_an_earlier_record_is_released() {
        World world = released();
        world.renamer("worker-2")
                .run(Deliveries.of(Deliveries.rename("r2", "files", "/x", "/y"), 50, Deliveries.APPENDED));
        grownOld(world);
        int early = expire(world);
        fail(world);
        grownOld(world);

        assertThat(early).isZero();
        assertThat(expire(world)).isEqualTo(2);
    }

    private static Delivery delivery(String id, int partition, long offset, Instant appendedAt) {
        return Deliveries.again(
                Deliveries.of(Deliveries.rename(id, "files", "/a", "/b-" + id)), partition, offset, appendedAt);
    }

    private static JournalEntry prepared(Delivery delivery) {
        return JournalEntry.prepared(delivery, new Ownership("worker-1", 1, "hold of " + delivery.requestId()));
    }

    private static JournalEntry ended(Delivery delivery) {
        return prepared(delivery)
                .ended(State.REJECTED, new Ending(delivery.appendedAt(), "{}"))
                .closed();
    }

    /**
     * Creates an entry of a waiting request and an entry of an ended request, which is younger. The workers have
     * committed the offsets of both requests.
     */
    private static World withAWaitingRequest(JournalEntry waiting) {
        World other = new World().withTree();
        other.journal.create(JournalStep.ATTEMPT, waiting);
        other.journal.create(JournalStep.END, ended(delivery("ended", 5, 60, Deliveries.APPENDED.plusMillis(20))));
        grownOld(other);
        return other;
    }

    private static void assertKeepsTheEntry(World other) {
        assertThat(expire(other)).isZero();
        assertThat(watermark(other)).isEqualTo(Instant.EPOCH);
    }

    @Test
    void keeps_an_entry_behind_a_released_request_that_comes_after_many_older_ones() {
        World other = withAWaitingRequest(prepared(delivery("waits", 5, 50, Deliveries.APPENDED.plusMillis(10)))
                .released());
        for (int i = 0; i <= JournalCleanup.BATCH; i++) {
            other.journal.create(
                    JournalStep.RETRY,
                    prepared(delivery("older-" + i, 1, i, Deliveries.APPENDED)).released());
        }

        assertKeepsTheEntry(other);
    }

    @Test
    void a_released_request_that_was_sent_again_recently_does_not_expire() {
        Delivery first = delivery("waits", 5, 50, Deliveries.APPENDED);
        World other = withAWaitingRequest(prepared(first).released());
        Versioned<JournalEntry> released = other.journal.read("waits").orElseThrow();
        Delivery again = Deliveries.again(first, 5, 500, other.time.now());
        other.journal.write(JournalStep.NO_OP, released.value().deliveredBy(again), released.version());

        assertThat(expire(other)).isEqualTo(1);
        other.renamer("worker-2").run(first);

        assertThat(other.outcome("waits").status()).isEqualTo(Status.COMPLETED);
    }

    @Test
    void keeps_an_entry_behind_a_request_that_is_attempted() {
        assertKeepsTheEntry(withAWaitingRequest(prepared(delivery("attempted", 5, 50, Deliveries.APPENDED))));
    }

    @Test
    void an_entry_that_comes_after_its_expiry_gets_no_second_outcome() {
        grownOld(world);
        expire(world);
        world.calls.interfere(Death.after("journal.prepare", 1));
        assertThat(Death.of(() -> world.renamer().run(A_TO_B))).isTrue();
        world.calls.interfere(Interference.none());
        world.rollForward("janitor-1").ofDead("r1");
        assertThat(world.entry("r1").state()).isEqualTo(State.RETRY);

        assertThat(fail(world)).isEmpty();

        assertThat(world.journal.entries()).isEmpty();
        assertThat(world.paths()).isEqualTo(once());
        assertThat(statuses(world)).containsExactly("COMPLETED null");
    }

    @Test
    void deletes_nothing_if_the_retention_of_the_log_cannot_be_read() {
        RequestLog silent = new InMemoryRequestLog(() -> {
            throw new NoAnswerException("lost", null);
        });
        JournalCleanup expiry = world.expiry("janitor-1", silent);

        assertThatThrownBy(expiry::limit).isInstanceOf(NoAnswerException.class);
    }

    @Test
    void keeps_an_entry_that_has_not_ended_at_any_age() {
        World parked = new World().withTree();
        new Renamer(
                        parked.stores(new RefusingTreeStore(
                                parked.tree, move -> move.document().ref().id().equals("a2"))),
                        parked.context("worker-1"))
                .run(A_TO_B);
        parked.heldByAnother("/x", "/y");
        grownOld(parked);

        assertThat(expire(parked)).isZero();
        assertThat(parked.journal.entries())
                .extracting(JournalEntry::state)
                .containsExactlyInAnyOrder(State.PARKED, State.PREPARED);
    }

    @Test
    void rejects_a_record_whose_entry_was_deleted_as_expired_at_every_delivery() {
        grownOld(world);
        expire(world);

        Answer first = world.renamer("worker-2").run(A_TO_B);
        Answer again = world.renamer("worker-3").run(A_TO_B);

        assertThat(first).isEqualTo(again);
        assertThat(world.paths()).isEqualTo(once());
        assertThat(statuses(world)).containsExactly("COMPLETED null", "REJECTED EXPIRED");
        assertThat(first).isEqualTo(new Answer.Published(world.outcomes.of("r1").getLast()));
        assertThat(world.entry("r1").isRolledForward()).isFalse();
        world.assertQuiet();
    }

    @Test
    void an_entry_that_is_deleted_too_early_leads_to_no_second_effect() {
        JournalCleanup hasty = world.expiry("janitor-1", new InMemoryRequestLog(() -> Optional.of(Duration.ZERO)));
        Instant wrong = world.time.now().plus(Duration.ofHours(1));

        assertThat(hasty.deleteClosed(wrong)).isEqualTo(1);

        assertOnce(world);
        assertThat(statuses(world)).containsExactly("COMPLETED null", "REJECTED EXPIRED");
    }

    @Test
    void processes_a_record_above_the_watermark() {
        grownOld(world);
        expire(world);
        Delivery next = Deliveries.of(Deliveries.rename("r2", "files", "/a", "/c"), 42, world.time.now());

        world.renamer().run(next);

        assertThat(world.outcome("r2").status()).isEqualTo(Status.COMPLETED);
        assertThat(world.paths()).containsEntry("new", "/c").containsEntry("new1", "/c/1");
    }

    private static World deleted() {
        World world = closed();
        grownOld(world);
        expire(world);
        return world;
    }

    private static List<Call> callsAfter(World world, Runnable step) {
        int before = world.calls.made().size();
        step.run();
        return world.calls.made().subList(before, world.calls.made().size());
    }

    private static List<Call> callsOfRedelivery() {
        World world = deleted();
        return callsAfter(world, () -> world.renamer("worker-2").run(A_TO_B));
    }

    @TestFactory
    Stream<DynamicTest> an_expired_record_has_no_effect_whatever_call_fails_during_its_rejection() {
        return callsOfRedelivery().stream()
                .filter(Call::isWrite)
                .flatMap(call -> Stream.of(
                                Interference.answerLostAt(call.number()),
                                Interference.notArrivedAt(call.number()),
                                Death.at(call, true),
                                Death.at(call, false))
                        .map(fault -> dynamicTest(call.toString(), () -> {
                            World world = deleted();
                            world.calls.interfere(fault);
                            Death.of(() -> world.renamer("worker-2").run(A_TO_B));
                            world.calls.interfere(Interference.none());
                            world.process("worker-2", ProcessState.FENCED);
                            world.rollForward("janitor-1").ofDead("r1");

                            assertOnce(world);
                        })));
    }

    @Test
    void an_expired_record_has_no_effect_if_a_sweep_has_created_a_placeholder() {
        World world = deleted();
        Hold late = new Hold("late", "worker-0", A_TO_B.age());
        world.locks.take("files", new TreePath("/a"), LockMode.EXCLUSIVE, late);
        world.sweep("janitor-1").sweep();
        assertThat(world.entry("r1").isPlaceholder()).isTrue();

        assertOnce(world);
    }

    @Test
    void an_expired_record_has_no_effect_if_a_late_attempt_has_created_its_entry_again() {
        World world = deleted();
        world.journal.create(JournalStep.ATTEMPT, JournalEntry.prepared(A_TO_B, new Ownership("worker-0", 1, "late")));
        world.rollForward("janitor-1").ofDead("r1");
        assertThat(world.entry("r1").state()).isEqualTo(State.RETRY);

        assertOnce(world);
    }

    private static List<Result> giveBackEntriesMadeAgain(World world) {
        JournalCleanup expiry = world.expiry("janitor-1");
        Instant limit = expiry.limit().orElseThrow();
        return expiry.recreated(limit).stream()
                .map(id -> world.rollForward("janitor-1").ofMadeAgain(id, limit))
                .toList();
    }

    @Test
    void gives_back_an_attempt_that_arrives_after_the_expiry_although_its_process_is_live() {
        World world = deleted();
        world.process("worker-0", ProcessState.LIVE);
        LockSet locks = LockSet.tree("files", new TreePath("/a"), new TreePath("/b"));
        Ownership late = new Ownership("worker-0", 1, "late");
        world.journal.prepare(new Attempt(
                JournalStep.ATTEMPT,
                JournalEntry.prepared(A_TO_B, late),
                null,
                null,
                new Hold("late", "worker-0", A_TO_B.age()),
                locks));
        List<Result> ofDead = List.of(world.rollForward("janitor-1").ofDead("r1"));

        List<Result> results = giveBackEntriesMadeAgain(world);

        assertThat(ofDead).containsExactly(Result.LEFT_ALONE);
        assertThat(results).containsExactly(Result.RELEASED);
        assertThat(world.locks.tables()).isEmpty();
        assertThat(world.rollForward("janitor-1").ofMadeAgain("r1", Instant.MAX))
                .isEqualTo(Result.LEFT_ALONE);
        assertThat(fail(world)).isEmpty();
        assertThat(world.journal.read("r1")).isEmpty();
    }

    @Test
    void leaves_an_entry_that_a_client_has_created_again_since_it_was_found() {
        World world = new World().withTree();
        world.process("worker-1", ProcessState.LIVE);
        world.journal.create(JournalStep.ATTEMPT, JournalEntry.prepared(A_TO_B, new Ownership("worker-1", 1, "h1")));

        assertThat(world.rollForward("janitor-1").ofMadeAgain("r1", A_TO_B.appendedAt()))
                .isEqualTo(Result.LEFT_ALONE);
    }

    @Test
    void leaves_an_old_request_above_the_watermark_to_its_live_process() {
        World world = new World().withTree();
        world.process("worker-1", ProcessState.LIVE);
        world.calls.interfere(Death.after("journal.prepare", 1));
        assertThat(Death.of(() -> world.renamer().run(A_TO_B))).isTrue();
        world.calls.interfere(Interference.none());
        grownOld(world);

        assertThat(giveBackEntriesMadeAgain(world)).isEmpty();
        assertThat(world.entry("r1").state()).isEqualTo(State.PREPARED);
    }

    /** Returns the calls with which a cleanup deletes one old entry. */
    private static List<Call> callsOfExpiry() {
        World world = closed();
        grownOld(world);
        return callsAfter(world, () -> expire(world));
    }

    @TestFactory
    Stream<DynamicTest> the_next_expiry_repairs_an_expiry_that_dies_or_gets_no_answer_at_any_write() {
        return callsOfExpiry().stream()
                .filter(Call::isWrite)
                .flatMap(call -> Stream.of(
                                Interference.answerLostAt(call.number()),
                                Interference.notArrivedAt(call.number()),
                                Death.at(call, true),
                                Death.at(call, false))
                        .map(fault -> dynamicTest(call.toString(), () -> {
                            World world = closed();
                            grownOld(world);
                            world.calls.interfere(fault);
                            try {
                                Death.of(() -> expire(world));
                            } catch (NoAnswerException e) {
                                assertThat(e).hasMessageContaining("Call");
                            }
                            world.calls.interfere(Interference.none());
                            assertThat(world.journal.entries().isEmpty()
                                            && watermark(world).equals(Instant.EPOCH))
                                    .isFalse();

                            expire(world);

                            assertThat(world.journal.entries()).isEmpty();
                            assertOnce(world);
                        })));
    }

    /** Returns an interference that runs an event before or after one call. */
    private static Interference around(Call at, boolean before, World world, Consumer<World> event) {
        Runnable once = () -> {
            world.calls.interfere(Interference.none());
            event.accept(world);
        };
        return new Interference() {
            @Override
            public void before(Call call) {
                if (before && call.equals(at)) {
                    once.run();
                }
            }

            @Override
            public void after(Call call) {
                if (!before && call.equals(at)) {
                    once.run();
                }
            }
        };
    }

    @TestFactory
    Stream<DynamicTest> a_delivery_or_another_expiry_between_any_two_steps_of_an_expiry_leads_to_no_second_effect() {
        Map<String, Consumer<World>> others = Map.of(
                "a delivery", world -> world.renamer("worker-2").run(A_TO_B), "an expiry", JournalCleanupTest::expire);
        return callsOfExpiry().stream()
                .flatMap(call -> Stream.of(true, false)
                        .flatMap(before -> others.entrySet().stream()
                                .map(other ->
                                        dynamicTest(other.getKey() + (before ? " before " : " after ") + call, () -> {
                                            World world = closed();
                                            grownOld(world);
                                            world.calls.interfere(around(call, before, world, other.getValue()));

                                            expire(world);
                                            assertThat(world.paths()).isEqualTo(once());
                                            expire(world);

                                            assertOnce(world);
                                        }))));
    }

    @TestFactory
    Stream<DynamicTest> an_expiry_between_any_two_steps_of_a_delivery_leads_to_no_second_effect() {
        World reference = closed();
        grownOld(reference);
        List<Call> again =
                callsAfter(reference, () -> reference.renamer("worker-2").run(A_TO_B));
        return again.stream()
                .flatMap(call -> Stream.of(true, false)
                        .map(before -> dynamicTest((before ? "before " : "after ") + call, () -> {
                            World world = closed();
                            grownOld(world);
                            world.calls.interfere(around(call, before, world, JournalCleanupTest::expire));

                            world.renamer("worker-2").run(A_TO_B);

                            assertOnce(world);
                        })));
    }

    /** In each test, a cleanup runs with a limit in the future, so the cleanup treats every closed entry as old. */
    @TestFactory
    Stream<DynamicTest> a_hasty_expiry_between_any_two_steps_of_a_first_delivery_leads_to_one_effect() {
        World reference = new World().withTree();
        reference.renamer().run(A_TO_B);
        return reference.calls.made().stream()
                .dropWhile(call -> !call.name().equals("journal.prepare"))
                .map(call -> dynamicTest("after " + call, () -> {
                    World world = new World().withTree();
                    Instant wrong = world.time.now().plus(Duration.ofHours(1));
                    world.calls.interfere(around(
                            call, false, world, w -> w.expiry("janitor-1").deleteClosed(wrong)));

                    world.renamer().run(A_TO_B);
                    world.directory("new", "/a");
                    world.file("new1", "/a/1");

                    assertOnce(world);
                }));
    }

    @Test
    void never_lowers_the_watermark() {
        Instant higher = world.time.now().plusSeconds(1);
        world.watermark.raise(higher);
        grownOld(world);

        assertThat(expire(world)).isEqualTo(1);

        assertThat(watermark(world)).isEqualTo(higher);
    }

    @Test
    void writes_a_watermark_that_is_high_enough_before_it_deletes() {
        world.watermark.raise(world.time.now());
        grownOld(world);

        List<String> writes = callsAfter(world, () -> expire(world)).stream()
                .filter(Call::isWrite)
                .map(Call::name)
                .distinct()
                .toList();

        assertThat(writes).containsExactly("watermark.raise", "journal.delete");
    }

    @Test
    void deletes_the_old_requests_of_every_partition_and_keeps_the_younger_ones() {
        world.renamer().run(Deliveries.of(Deliveries.rename("r2", "files", "/ab", "/c"), 43, Deliveries.APPENDED));
        Delivery elsewhere = Deliveries.again(
                Deliveries.of(Deliveries.rename("r3", "files", "/c", "/d")), 5, 7, Deliveries.APPENDED);
        world.renamer().run(elsewhere);
        grownOld(world);
        world.renamer()
                .run(Deliveries.of(
                        Deliveries.rename("r4", "files", "/d", "/e"),
                        44,
                        world.time.now().minusMillis(1)));

        assertThat(expire(world)).isEqualTo(3);

        assertThat(world.journal.entries()).extracting(JournalEntry::requestId).containsExactly("r4");
    }

    /** The offsets of a topic that was created again begin at 0. */
    @Test
    void a_request_of_a_new_topic_is_processed_and_the_entries_of_the_old_topic_expire() {
        grownOld(world);
        expire(world);
        Delivery first =
                Deliveries.again(Deliveries.of(Deliveries.rename("r2", "files", "/a", "/c")), 0, 0, world.time.now());

        world.renamer().run(first);
        int young = expire(world);
        grownOld(world);

        assertThat(world.outcome("r2").status()).isEqualTo(Status.COMPLETED);
        assertThat(young).isZero();
        assertThat(expire(world)).isEqualTo(1);
    }

    @Test
    void deletes_many_entries_in_batches() {
        int many = 2 * JournalCleanup.BATCH + 1;
        IntStream.range(0, many).forEach(i -> world.journal.create(JournalStep.ATTEMPT, closedEntry("many-" + i, i)));
        grownOld(world);

        assertThat(expire(world)).isEqualTo(many + 1);
        assertThat(world.journal.entries()).isEmpty();
    }

    /** A limit per run would be a limit per minute, which can be less than the rate of new entries. */
    @Test
    void deletes_all_expired_entries_in_one_run() {
        int many = 25 * JournalCleanup.BATCH;
        IntStream.range(0, many).forEach(i -> world.journal.create(JournalStep.ATTEMPT, closedEntry("many-" + i, i)));
        grownOld(world);

        assertThat(expire(world)).isEqualTo(many + 1);
    }

    @Test
    void finds_a_recreated_entry_behind_any_number_of_entries_after_the_watermark() {
        world.watermark.raise(Deliveries.APPENDED.plusMillis(1));
        Delivery again = Deliveries.again(A_TO_B, 6, 13, Deliveries.APPENDED.plusSeconds(1));
        for (int i = 0; i <= JournalCleanup.BATCH; i++) {
            world.journal.create(
                    JournalStep.ATTEMPT,
                    prepared(delivery("a-" + i, 0, i, Deliveries.APPENDED)).deliveredBy(again));
        }
        world.journal.create(JournalStep.ATTEMPT, prepared(delivery("recreated", 0, 7, Deliveries.APPENDED)));
        grownOld(world);
        JournalCleanup expiry = world.expiry("janitor-1");

        assertThat(expiry.recreated(world.time.now())).containsExactly("recreated");
    }

    private JournalEntry closedEntry(String requestId, long offset) {
        Delivery delivery =
                Deliveries.of(Deliveries.rename(requestId, "files", "/p", "/q"), offset, Deliveries.APPENDED);
        Ownership owner = new Ownership("worker-1", 1, null);
        return JournalEntry.prepared(delivery, owner)
                .ended(State.REJECTED, new Ending(world.time.now(), "{}"))
                .closed();
    }

    @Test
    void a_process_that_stops_or_was_fenced_deletes_nothing() {
        grownOld(world);
        world.stop.request();
        assertThat(expire(world)).isZero();
        world.stop.abandon();
        assertThat(expire(world)).isZero();
        assertThat(world.expiry("janitor-1").notDelivered(world.time.now())).isEmpty();
        assertThat(world.journal.entries()).hasSize(1);
    }

    /** Returns a second record of r1, which was sent under the same id a week later. */
    private static Delivery repeat() {
        return Deliveries.again(A_TO_B, 6, 13, Deliveries.APPENDED.plus(Duration.ofDays(7)));
    }

    @Test
    void keeps_an_entry_until_the_last_record_of_its_request_is_old_enough() {
        world.time.advance(Duration.ofDays(7));
        world.renamer("worker-2").run(repeat());
        world.time.advance(Duration.ofDays(7));
        int early = expire(world);
        world.time.advance(Duration.ofDays(2));

        assertThat(early).isZero();
        assertThat(expire(world)).isEqualTo(1);
    }

    @Test
    void no_record_of_a_deleted_request_has_an_effect() {
        world.renamer("worker-2").run(repeat());
        world.renamer("worker-2").run(Deliveries.again(A_TO_B, 6, 11, Deliveries.APPENDED));
        world.time.advance(Duration.ofDays(16));
        expire(world);

        world.renamer("worker-3").run(repeat());

        assertOnce(world);
        assertThat(statuses(world)).containsExactly("COMPLETED null", "REJECTED EXPIRED");
    }

    @Test
    void a_record_with_a_reused_id_has_no_effect_after_the_first_request_is_deleted() {
        Delivery reuse = Deliveries.of(Deliveries.rename("r1", "files", "/b", "/z"), 50, Deliveries.APPENDED);
        assertThat(world.renamer("worker-2").run(reuse)).isEqualTo(new Answer.Reused());
        grownOld(world);
        expire(world);

        world.renamer("worker-3").run(reuse);

        assertThat(world.paths()).isEqualTo(once());
        assertThat(statuses(world)).containsExactly("COMPLETED null", "REJECTED EXPIRED");
    }

    /** Returns a world in which r1 was released for a retry, and in which Kafka does not deliver r1 again. */
    private static World released() {
        World world = new World().withTree();
        world.calls.interfere(Death.after("journal.prepare", 1));
        assertThat(Death.of(() -> world.renamer().run(A_TO_B))).isTrue();
        world.calls.interfere(Interference.none());
        world.rollForward("janitor-1").ofDead("r1");
        assertThat(world.entry("r1").state()).isEqualTo(State.RETRY);
        return world;
    }

    private static List<Result> fail(World world) {
        JournalCleanup expiry = world.expiry("janitor-1");
        Instant limit = expiry.limit().orElseThrow();
        List<Result> results = new ArrayList<>();
        for (String id : expiry.notDelivered(limit)) {
            results.add(world.rollForward("janitor-1").ofNotDelivered(id, limit));
        }
        return results;
    }

    @Test
    void fails_a_released_request_after_the_log_has_deleted_its_record_and_not_before() {
        World world = released();
        world.time.advance(World.ENTRY_RETENTION.minusSeconds(10));
        List<Result> early = fail(world);
        world.time.advance(Duration.ofSeconds(10));

        List<Result> results = fail(world);
        Answer late = world.renamer("worker-2").run(A_TO_B);

        assertThat(early).isEmpty();
        assertThat(results).containsExactly(Result.CLOSED);
        assertThat(world.outcome("r1"))
                .returns(Status.FAILED, Outcome::status)
                .returns(Reason.NOT_DELIVERED_AGAIN, Outcome::reason)
                .returns(0L, Outcome::moved)
                .returns("janitor-1", Outcome::processId)
                .returns(false, Outcome::rolledForward);
        assertThat(late).isEqualTo(new Answer.Published(world.outcomes.of("r1").getFirst()));
        assertThat(world.paths()).isEqualTo(World.treeAt("/a"));
        world.assertQuiet();
        grownOld(world);
        assertThat(expire(world)).isEqualTo(1);
    }

    @Test
    void fails_no_request_that_is_not_released_or_not_old() {
        World world = released();
        world.heldByAnother("/x", "/y");
        RollForward rollForward = world.rollForward("janitor-1");
        Instant later = world.time.now().plusSeconds(60);

        assertThat(rollForward.ofNotDelivered("r1", Deliveries.APPENDED)).isEqualTo(Result.LEFT_ALONE);
        assertThat(rollForward.ofNotDelivered("r0", later)).isEqualTo(Result.LEFT_ALONE);
        assertThat(rollForward.ofNotDelivered("other", later)).isEqualTo(Result.LEFT_ALONE);
        world.renamer().run(A_TO_B);
        assertThat(rollForward.ofNotDelivered("r1", later)).isEqualTo(Result.LEFT_ALONE);
        assertThat(world.outcome("r1").status()).isEqualTo(Status.COMPLETED);
    }

    private static List<Call> callsOfFailing() {
        World world = released();
        grownOld(world);
        return callsAfter(world, () -> fail(world));
    }

    @TestFactory
    Stream<DynamicTest> the_next_janitor_completes_a_failure_that_dies_or_gets_no_answer_at_any_write() {
        return callsOfFailing().stream()
                .filter(Call::isWrite)
                .flatMap(call -> Stream.of(
                                Interference.answerLostAt(call.number()),
                                Interference.notArrivedAt(call.number()),
                                Death.at(call, true),
                                Death.at(call, false))
                        .map(fault -> dynamicTest(call.toString(), () -> {
                            World world = released();
                            grownOld(world);
                            world.calls.interfere(fault);
                            try {
                                Death.of(() -> fail(world));
                            } catch (NoAnswerException e) {
                                assertThat(e).hasMessageContaining("Call");
                            }
                            world.calls.interfere(Interference.none());
                            world.process("janitor-1", ProcessState.FENCED);

                            fail(world);
                            world.rollForward("janitor-2").ofDead("r1");

                            assertThat(statuses(world)).containsExactly("FAILED NOT_DELIVERED_AGAIN");
                            assertThat(world.paths()).isEqualTo(World.treeAt("/a"));
                            world.assertQuiet();
                        })));
    }

    @TestFactory
    Stream<DynamicTest> a_delivery_or_another_janitor_between_any_two_steps_of_a_failure_leads_to_one_outcome() {
        Map<String, Consumer<World>> others = Map.of(
                "a delivery",
                world -> world.renamer("worker-2").run(A_TO_B),
                "another janitor",
                JournalCleanupTest::fail);
        return callsOfFailing().stream()
                .flatMap(call -> Stream.of(true, false)
                        .flatMap(before -> others.entrySet().stream()
                                .map(other ->
                                        dynamicTest(other.getKey() + (before ? " before " : " after ") + call, () -> {
                                            World world = released();
                                            grownOld(world);
                                            world.process("janitor-1", ProcessState.FENCED);
                                            world.time.plan(
                                                    Duration.ofSeconds(1),
                                                    () -> world.rollForward("janitor-2")
                                                            .ofDead("r1"));
                                            world.calls.interfere(around(call, before, world, other.getValue()));

                                            fail(world);
                                            world.renamer("worker-3").run(A_TO_B);

                                            assertThat(statuses(world)).hasSize(1);
                                            boolean completed =
                                                    statuses(world).getFirst().equals("COMPLETED null");
                                            assertThat(world.paths()).isEqualTo(World.treeAt(completed ? "/b" : "/a"));
                                            world.assertQuiet();
                                        }))));
    }

    @Test
    void deletes_an_old_placeholder_and_a_late_hold_gets_a_new_one() {
        Hold late =
                new Hold("late", "worker-0", new LockPriority(world.time.now().toEpochMilli(), "r9"));
        world.locks.take("files", new TreePath("/x"), LockMode.EXCLUSIVE, late);
        world.sweep("janitor-1").sweep();
        List<Result> young = fail(world);
        boolean there = world.entry("r9").isPlaceholder();
        grownOld(world);

        assertThat(fail(world)).isEmpty();
        assertThat(young).isEmpty();
        assertThat(there).isTrue();
        assertThat(world.journal.read("r9")).isEmpty();

        world.locks.take("files", new TreePath("/x"), LockMode.EXCLUSIVE, late);
        world.sweep("janitor-1").sweep();
        assertThat(world.entry("r9").isPlaceholder()).isTrue();
        assertThat(world.locks.tables()).isEmpty();
    }

    @Test
    void keeps_a_placeholder_that_a_delivery_uses_in_the_meantime() {
        Hold late =
                new Hold("late", "worker-0", new LockPriority(world.time.now().toEpochMilli(), "r9"));
        world.locks.take("files", new TreePath("/x"), LockMode.EXCLUSIVE, late);
        world.sweep("janitor-1").sweep();
        grownOld(world);
        Delivery delivery = Deliveries.of(Deliveries.rename("r9", "files", "/a", "/c"), 60, world.time.now());
        world.calls.interfere(Interference.after(
                "journal.olderThan RETRY", 1, () -> world.renamer().run(delivery)));

        fail(world);

        assertThat(world.outcome("r9").status()).isEqualTo(Status.COMPLETED);
        assertThat(world.entry("r9").state()).isEqualTo(State.CLOSED);
    }
}
