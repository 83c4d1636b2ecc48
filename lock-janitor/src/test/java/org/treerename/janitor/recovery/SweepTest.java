package org.treerename.janitor.recovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.slf4j.LoggerFactory;
import org.treerename.journal.Deliveries;
import org.treerename.journal.Delivery;
import org.treerename.journal.Ending;
import org.treerename.journal.JournalEntry;
import org.treerename.journal.JournalStep;
import org.treerename.journal.Ownership;
import org.treerename.journal.State;
import org.treerename.journal.TestEntry;
import org.treerename.lock.Hold;
import org.treerename.lock.LockMode;
import org.treerename.lock.LockPriority;
import org.treerename.lock.LockSet;
import org.treerename.lock.Release;
import org.treerename.path.TreePath;
import org.treerename.rename.Renamer.Answer;
import org.treerename.request.Outcome;
import org.treerename.request.Reason;
import org.treerename.request.Status;
import org.treerename.store.Death;
import org.treerename.store.Interference;
import org.treerename.store.Interference.Call;
import org.treerename.store.NoAnswerException;
import org.treerename.store.RefusedException;
import org.treerename.store.Versioned;
import org.treerename.store.WriteResult;

class SweepTest {

    private static final Delivery A_TO_B = Deliveries.of(Deliveries.rename("r1", "files", "/a", "/b"));
    private static final LockSet LOCKS = LockSet.tree("files", new TreePath("/a"), new TreePath("/b"));
    private static final Hold LATE = new Hold("late", "worker-0", A_TO_B.age());

    private final World world = new World().withTree();

    /**
     * Acts like a delayed lock request of a dead process. Acquires the free locks, and adds claims for the locks that
     * are held.
     */
    private void takes(Hold hold, LockSet locks) {
        world.locks.take(locks, hold);
    }

    private static JournalEntry entry(State state) {
        JournalEntry prepared = JournalEntry.prepared(A_TO_B, new Ownership("worker-1", 3, "h3"));
        return TestEntry.like(prepared)
                .in(state)
                .owner("worker-1", 3, state == State.RETRY ? null : "h3")
                .ending(state.isFinal() ? new Ending(A_TO_B.appendedAt(), "{}") : null)
                .build();
    }

    private Hold own() {
        return new Hold("h3", "worker-1", A_TO_B.age());
    }

    @ParameterizedTest
    @EnumSource(State.class)
    void removes_a_late_hold_that_its_entry_does_not_name_in_every_state(State state) {
        world.journal.create(JournalStep.ATTEMPT, entry(state));
        takes(LATE, LOCKS);

        int removed = world.sweep("janitor-1").sweep();

        assertThat(removed).isEqualTo(2);
        assertThat(world.locks.tables()).isEmpty();
        assertThat(world.entry("r1").noOps()).isPositive();
        assertThat(world.entry("r1")).returns(state, JournalEntry::state);
    }

    @ParameterizedTest
    @EnumSource(State.class)
    void keeps_the_hold_that_an_entry_names_as_long_as_the_entry_may_hold_locks(State state) {
        world.journal.create(JournalStep.ATTEMPT, entry(state));
        takes(own(), LOCKS);

        int removed = world.sweep("janitor-1").sweep();

        assertThat(removed).isEqualTo(state.mayHold() ? 0 : 2);
        assertThat(world.locks.tables()).hasSize(state.mayHold() ? 2 : 0);
    }

    /** Leaves a claim of r1 at /a. A live rename of another process has locked /a. */
    private void claimed() {
        world.heldByAnother("/a", "/c");
        takes(LATE, new LockSet("files", new TreeMap<>(Map.of(new TreePath("/a"), LockMode.EXCLUSIVE))));
        assertThat(claims()).containsExactly("r1");
    }

    private Set<String> claims() {
        return world.locks.claimsAt("files", new TreePath("/a"));
    }

    @ParameterizedTest
    @EnumSource(State.class)
    void removes_a_claim_only_if_its_request_has_ended_or_was_released(State state) {
        world.journal.create(JournalStep.ATTEMPT, entry(state));
        claimed();

        int removed = world.sweep("janitor-1").sweep();

        boolean over = state.isFinal() || state == State.RETRY;
        assertThat(removed).isEqualTo(over ? 1 : 0);
        assertThat(claims().contains("r1")).isEqualTo(!over);
        assertThat(world.locks.holdsAt("files", new TreePath("/a"))).containsExactly("hold-of-other");
    }

    @Test
    void removes_a_claim_of_a_request_without_an_entry_after_it_has_created_a_placeholder() {
        claimed();

        assertThat(world.sweep("janitor-1").sweep()).isEqualTo(1);
        assertThat(claims()).isEmpty();
        assertThat(world.entry("r1").isPlaceholder()).isTrue();
    }

    /**
     * It is possible that a read does not find a new entry yet. If the sweep trusted this read, the request would lose
     * its claim.
     */
    @Test
    void keeps_a_claim_whose_entry_exists_although_a_read_did_not_find_it() {
        claimed();
        world.calls.interfere(Interference.after(
                "journal.read", 1, () -> world.journal.create(JournalStep.ATTEMPT, entry(State.PREPARED))));

        int removed = world.sweep("janitor-1").sweep();

        assertThat(removed).isZero();
        assertThat(claims()).containsExactly("r1");
        assertThat(world.entry("r1").state()).isEqualTo(State.PREPARED);
    }

    @Test
    void sweeps_other_lock_tables_if_the_store_refuses_one() {
        takes(LATE, LOCKS);
        refuseFirst(2, "locks.release", "403 security_exception");

        int removed = world.sweep("janitor-1").sweep();
        int atNextTime = world.sweep("janitor-1").sweep();

        assertThat(removed).isEqualTo(1);
        assertThat(atNextTime).isEqualTo(1);
        assertThat(world.locks.tables()).isEmpty();
    }

    /** Refuses the first calls with this name. */
    private void refuseFirst(int count, String name, String why) {
        world.calls.interfere(new Interference() {
            private int calls;

            @Override
            public void before(Call call) {
                if (call.name().equals(name) && ++calls <= count) {
                    throw new RefusedException(why);
                }
            }
        });
    }

    private static LockSet documents(int count) {
        return LockSet.documents(
                "files",
                IntStream.range(0, count).mapToObj(i -> new TreePath("/a/" + i)).toList());
    }

    @Test
    void removes_a_hold_from_many_lock_documents_by_few_requests() {
        takes(LATE, documents(2_500));
        List<Call> releases = new ArrayList<>();
        world.calls.interfere(new Interference() {
            @Override
            public void before(Call call) {
                if (call.name().equals("locks.release")) {
                    releases.add(call);
                }
            }
        });

        int removed = world.sweep("janitor-1").sweep();

        assertThat(removed).isEqualTo(2_500);
        assertThat(world.locks.tables()).isEmpty();
        assertThat(releases).hasSize(2_500 / Sweep.BATCH);
    }

    @Test
    void sweeps_tables_one_by_one_if_they_are_refused_together() {
        takes(LATE, documents(4));
        refuseFirst(1, "locks.release", "413 too large");

        int removed = world.sweep("janitor-1").sweep();

        assertThat(removed).isEqualTo(4);
        assertThat(world.locks.tables()).isEmpty();
    }

    @Test
    void sweeps_other_holds_of_a_table_if_an_entry_cannot_be_read() {
        takes(LATE, LockSet.tree("files", new TreePath("/a/1"), new TreePath("/a/2")));
        takes(
                new Hold("later", "worker-0", new LockPriority(7, "r2")),
                LockSet.tree("files", new TreePath("/a/3"), new TreePath("/a/4")));
        refuseFirst(2, "journal.read", "a rename was written under protocol 2, but this process knows only protocol 1");

        assertThat(world.sweep("janitor-1").sweep()).isEqualTo(1);
        assertThat(world.locks.tables())
                .singleElement()
                .satisfies(table -> assertThat(table.holds()).hasSize(1));
    }

    @ParameterizedTest
    @EnumSource(State.class)
    void logs_no_warning_about_holds_that_a_process_is_about_to_release(State state) {
        world.journal.create(JournalStep.ATTEMPT, entry(state));
        takes(own(), LOCKS);
        ListAppender<ILoggingEvent> logged = new ListAppender<>();

        int removed = sweepWith(logged);

        boolean isLeftover = state == State.CLOSED || state == State.RETRY;
        assertThat(removed).isEqualTo(state.mayHold() ? 0 : 2);
        assertThat(logged.list)
                .filteredOn(event -> event.getLevel().isGreaterOrEqual(Level.WARN))
                .hasSize(isLeftover ? 1 : 0);
    }

    private int sweepWith(ListAppender<ILoggingEvent> logged) {
        Logger logger = (Logger) LoggerFactory.getLogger(Sweep.class);
        logged.start();
        logger.addAppender(logged);
        try {
            return world.sweep("janitor-1").sweep();
        } finally {
            logger.detachAppender(logged);
        }
    }

    /** The search for the tables shows their state before the release, and the read of the entry the state after it. */
    @Test
    void logs_no_warning_about_a_rename_that_ends_during_the_sweep() {
        world.journal.create(JournalStep.ATTEMPT, entry(State.DONE));
        takes(own(), LOCKS);
        world.calls.interfere(Interference.after("locks.each", 1, () -> {
            world.locks.release(LOCKS, Release.ofHold(own().holdId()));
            Versioned<JournalEntry> done = world.journal.read("r1").orElseThrow();
            world.journal.write(JournalStep.CLOSE, done.value().closed(), done.version());
        }));
        ListAppender<ILoggingEvent> logged = new ListAppender<>();

        int removed = sweepWith(logged);

        assertThat(removed).isZero();
        assertThat(logged.list).isEmpty();
        assertThat(world.entry("r1").noOps()).isZero();
    }

    /** A sweep that reads the entry of each hold alone takes seconds with thousands of renames. */
    @Test
    void reads_the_entries_of_many_holds_by_few_requests() {
        for (int i = 0; i < 2 * Sweep.BATCH; i++) {
            Delivery delivery = Deliveries.of(Deliveries.rename("r-" + i, "files", "/" + i, "/" + i));
            world.journal.create(
                    JournalStep.ATTEMPT, JournalEntry.prepared(delivery, new Ownership("worker-1", 1, "h-" + i)));
            takes(
                    new Hold("h-" + i, "worker-1", delivery.age()),
                    LockSet.tree("files", new TreePath("/" + i), new TreePath("/" + i)));
        }

        int before = world.calls.made().size();
        int removed = world.sweep("janitor-1").sweep();

        assertThat(removed).isZero();
        assertThat(world.calls.made().subList(before, world.calls.made().size()))
                .extracting(Call::name)
                .containsExactly("locks.each", "journal.read", "journal.read");
    }

    /**
     * The clock of a janitor may be weeks ahead. A placeholder with the time of this clock would stay in the journal
     * for weeks.
     */
    @Test
    void a_placeholder_has_the_time_of_its_request() {
        takes(new Hold("late", "worker-0", new LockPriority(7, "r9")), LOCKS);

        world.sweep("janitor-1").sweep();

        assertThat(world.entry("r9").requestedAt()).isEqualTo(Instant.ofEpochMilli(7));
    }

    @Test
    void creates_a_placeholder_before_it_removes_a_hold_without_an_entry_and_the_request_completes() {
        takes(LATE, LOCKS);
        List<Boolean> entryBeforeRemoval = new ArrayList<>();
        world.calls.interfere(Interference.before(
                "locks.release",
                1,
                () -> entryBeforeRemoval.add(world.journal.read("r1").isPresent())));

        int removed = world.sweep("janitor-1").sweep();
        JournalEntry placeholder = world.entry("r1");
        Answer answer = world.renamer("worker-2").run(A_TO_B);

        assertThat(removed).isEqualTo(2);
        assertThat(entryBeforeRemoval).containsExactly(true);
        assertThat(placeholder)
                .returns(State.RETRY, JournalEntry::state)
                .returns(true, JournalEntry::isPlaceholder)
                .returns(
                        new Ownership("janitor-1", 1, null),
                        e -> new Ownership(
                                e.ownership().processId(), 1, e.ownership().holdId()));
        assertThat(answer)
                .isEqualTo(new Answer.Published(world.outcomes.of("r1").getFirst()));
        assertThat(world.outcome("r1"))
                .returns(Status.COMPLETED, Outcome::status)
                .returns(A_TO_B.appendedAt(), Outcome::requestedAt);
        assertThat(world.entry("r1"))
                .returns(A_TO_B.digest(), JournalEntry::digest)
                .returns(A_TO_B.place(), JournalEntry::place);
        assertThat(world.paths()).isEqualTo(World.treeAt("/b"));
        world.assertQuiet();
    }

    @Test
    void an_invalid_request_is_rejected_although_it_has_a_placeholder() {
        Delivery wrong = Deliveries.of(Deliveries.rename("r1", "files", "a", "/b"));
        takes(LATE, LOCKS);
        world.sweep("janitor-1").sweep();

        world.renamer("worker-2").run(wrong);
        Answer again = world.renamer("worker-2").run(wrong);
        Answer reused = world.renamer("worker-2").run(A_TO_B);

        assertThat(world.outcome("r1").reason()).isEqualTo(Reason.INVALID_PATH);
        assertThat(again).isEqualTo(new Answer.Published(world.outcomes.of("r1").getFirst()));
        assertThat(reused).isEqualTo(new Answer.Reused());
        world.assertQuiet();
    }

    @Test
    void keeps_a_hold_whose_entry_is_created_between_the_read_and_the_placeholder() {
        takes(own(), LOCKS);
        world.calls.interfere(Interference.after(
                "journal.read", 1, () -> world.journal.create(JournalStep.ATTEMPT, entry(State.PREPARED))));

        int removed = world.sweep("janitor-1").sweep();

        assertThat(removed).isZero();
        assertThat(world.locks.tables()).hasSize(2);
    }

    /**
     * The hold is dead when the sweep reads the entry. Before the sweep removes the hold, the entry changes and names
     * this hold.
     */
    @Test
    void keeps_a_hold_that_its_entry_names_after_a_change_between_the_read_and_the_removal() {
        JournalEntry given = entry(State.RETRY);
        world.journal.create(JournalStep.ATTEMPT, given);
        takes(own(), LOCKS);
        world.calls.interfere(Interference.after("journal.read", 1, () -> {
            Versioned<JournalEntry> found = world.journal.read("r1").orElseThrow();
            world.journal.write(
                    JournalStep.ATTEMPT,
                    found.value()
                            .attempted(
                                    new Ownership("worker-1", 4, "h3"),
                                    found.value().waiting()),
                    found.version());
        }));

        int removed = world.sweep("janitor-1").sweep();

        assertThat(removed).isZero();
        assertThat(world.locks.tables()).hasSize(2);
    }

    @Test
    void keeps_a_claim_whose_request_is_attempted_again_between_the_read_and_the_removal() {
        world.journal.create(JournalStep.ATTEMPT, entry(State.RETRY));
        claimed();
        world.calls.interfere(Interference.after("journal.read", 1, () -> {
            Versioned<JournalEntry> found = world.journal.read("r1").orElseThrow();
            world.journal.write(
                    JournalStep.ATTEMPT,
                    found.value()
                            .attempted(
                                    new Ownership("worker-1", 4, "h4"),
                                    found.value().waiting()),
                    found.version());
        }));

        int removed = world.sweep("janitor-1").sweep();

        assertThat(claims()).containsExactly("r1");
        assertThat(removed).isZero();
    }

    /** In each test, a sweep runs after one call of a worker. The rename ends as it does without a sweep. */
    @TestFactory
    Stream<DynamicTest> a_sweep_between_any_two_steps_of_a_live_rename_does_not_disturb_it() {
        World reference = new World().withTree();
        reference.renamer().run(A_TO_B);
        return reference.calls.made().stream()
                .map(call -> dynamicTest("after " + call, () -> {
                    World sweeping = new World().withTree();
                    List<Integer> removed = new ArrayList<>();
                    sweeping.calls.interfere(new Interference() {
                        @Override
                        public void after(Call now) {
                            if (now.equals(call)) {
                                sweeping.calls.interfere(Interference.none());
                                removed.add(sweeping.sweep("janitor-1").sweep());
                            }
                        }
                    });

                    sweeping.renamer().run(A_TO_B);

                    // after the worker has written the end of the rename, the holds of the rename are dead; either the
                    // worker or the sweep removes them
                    assertThat(removed).hasSize(1);
                    assertThat(sweeping.paths()).isEqualTo(World.treeAt("/b"));
                    sweeping.assertQuiet();
                }));
    }

    @TestFactory
    Stream<DynamicTest> the_next_sweep_repairs_a_sweep_that_dies_or_gets_no_answer_at_any_write() {
        return Stream.of(1, 2, 3, 4)
                .flatMap(write -> Stream.of("dead before", "dead after", "lost", "not arrived")
                        .map(how -> dynamicTest(how + " write " + write, () -> {
                            World swept = new World().withTree();
                            swept.locks.take(LOCKS, LATE);
                            swept.calls.interfere(at(how, write));
                            Death.of(() -> swept.sweep("janitor-1").sweep());
                            swept.calls.interfere(Interference.none());
                            boolean safe = swept.locks.tables().size() == 2
                                    || swept.journal.read("r1").isPresent();

                            swept.sweep("janitor-2").sweep();
                            swept.renamer("worker-2").run(A_TO_B);

                            assertThat(safe).isTrue();
                            assertThat(swept.paths()).isEqualTo(World.treeAt("/b"));
                            swept.assertQuiet();
                        })));
    }

    private static Interference at(String how, int write) {
        return switch (how) {
            case "lost" -> Interference.answerLostAt(write);
            case "not arrived" -> Interference.notArrivedAt(write);
            default ->
                new Interference() {
                    @Override
                    public void before(Call call) {
                        if (how.equals("dead before") && call.isWrite() && call.number() == write) {
                            throw new Death();
                        }
                    }

                    @Override
                    public void after(Call call) {
                        if (how.equals("dead after") && call.isWrite() && call.number() == write) {
                            throw new Death();
                        }
                    }
                };
        };
    }

    @Test
    void a_placeholder_blocks_no_other_request() {
        takes(LATE, LOCKS);
        world.sweep("janitor-1").sweep();
        Delivery other = Deliveries.of(Deliveries.rename("r2", "files", "/a", "/b"));

        world.renamer().run(other);

        assertThat(world.outcome("r2").status()).isEqualTo(Status.COMPLETED);
        assertThat(world.locks.tables()).isEmpty();
        assertThat(world.journal.create(JournalStep.ATTEMPT, entry(State.PREPARED)))
                .isEqualTo(new WriteResult.Conflict());
    }

    private void sweepInFiveSeconds() {
        world.time.plan(Duration.ofSeconds(5), () -> world.sweep("janitor-1").sweep());
    }

    @Test
    void frees_a_rename_that_a_late_hold_of_its_own_void_attempt_blocks() {
        sweepInFiveSeconds();
        world.calls.interfere(new Interference() {
            private boolean late;

            @Override
            public void before(Call call) {
                if (call.name().equals("journal.prepare") && !late) {
                    late = true;
                    throw new NoAnswerException("the bulk comes later", null);
                }
                if (call.name().equals("journal.prepare")) {
                    world.locks.take("files", new TreePath("/b"), LockMode.EXCLUSIVE, LATE);
                    world.calls.interfere(Interference.none());
                }
            }
        });

        world.renamer().run(A_TO_B);

        assertThat(world.outcome("r1").status()).isEqualTo(Status.COMPLETED);
        world.assertQuiet();
    }

    @Test
    void frees_a_rename_that_a_dead_hold_of_an_ended_request_blocks() {
        sweepInFiveSeconds();
        Delivery ended = Deliveries.of(Deliveries.rename("ended", "files", "/x", "/y"));
        world.journal.create(
                JournalStep.ATTEMPT,
                JournalEntry.prepared(ended, new Ownership("worker-1", 1, "h"))
                        .ended(State.REJECTED, new Ending(ended.appendedAt(), "{}"))
                        .closed());
        world.locks.take("files", new TreePath("/a"), LockMode.SHARED, new Hold("h", "worker-1", ended.age()));

        world.renamer().run(A_TO_B);

        assertThat(world.outcome("r1").status()).isEqualTo(Status.COMPLETED);
        assertThat(world.paths()).isEqualTo(World.treeAt("/b"));
        world.assertQuiet();
    }
}
