package org.treerename.janitor.recovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.treerename.journal.Deliveries;
import org.treerename.journal.Delivery;
import org.treerename.journal.JournalEntry;
import org.treerename.journal.JournalStep;
import org.treerename.journal.State;
import org.treerename.lock.Hold;
import org.treerename.lock.LockSet;
import org.treerename.path.TreePath;
import org.treerename.request.Status;
import org.treerename.store.Death;
import org.treerename.store.Interference;
import org.treerename.store.Interference.Call;
import org.treerename.store.NoAnswerException;
import org.treerename.store.Version;
import org.treerename.store.Versioned;

/**
 * Tests that an ended entry contains the version of the write that decided the rename, even if failures occur before or
 * after this write.
 */
class DecidedInTest {

    private static final Delivery A_TO_B = Deliveries.of(Deliveries.rename("r1", "files", "/a", "/b"));
    private static final Delivery NOT_THERE = Deliveries.of(Deliveries.rename("r1", "files", "/x", "/b"));
    private static final Delivery NO_PATH = Deliveries.of(Deliveries.rename("r1", "files", "x", "/b"));
    private static final Set<State> DECIDED = Set.of(State.MOVING, State.REJECTED, State.FAILED);

    private final World world = new World().withTree();
    private @Nullable Version decided;

    /** Reads the entry after each call and keeps the first version in which the entry is decided. */
    private Interference watching(Interference faults) {
        return new Interference() {
            @Override
            public void before(Call call) {
                faults.before(call);
            }

            @Override
            public void after(Call call) {
                world.journal
                        .read("r1")
                        .filter(found -> decided == null
                                && DECIDED.contains(found.value().state()))
                        .ifPresent(found -> decided = found.version());
                faults.after(call);
            }
        };
    }

    private void runs(Delivery delivery, Interference faults) {
        world.calls.interfere(watching(faults));
        Death.of(() -> world.renamer().run(delivery));
        world.calls.interfere(watching(Interference.none()));
    }

    private void assertRecorded() {
        assertThat(decided).isNotNull();
        assertThat(world.entry("r1"))
                .returns(State.CLOSED, JournalEntry::state)
                .returns(decided, JournalEntry::decidedIn);
    }

    private void writeNoOp() {
        Versioned<JournalEntry> found = world.journal.read("r1").orElseThrow();
        world.journal.write(JournalStep.NO_OP, found.value().withNoOp(), found.version());
    }

    /**
     * Creates a late hold of the request, and runs a sweep. Because of the hold, the sweep makes a no-op write of the
     * entry.
     */
    private void sweep() {
        LockSet locks = LockSet.tree("files", new TreePath("/late"), new TreePath("/late"));
        locks.modes()
                .forEach((path, mode) -> world.locks.take("files", path, mode, new Hold("late", "w", A_TO_B.age())));
        assertThat(world.sweep("janitor-1").sweep()).isPositive();
        assertThat(world.entry("r1").noOps()).isPositive();
    }

    @TestFactory
    Stream<DynamicTest> records_the_version_for_every_outcome() {
        return Stream.of(A_TO_B, NOT_THERE, NO_PATH)
                .map(delivery -> dynamicTest(delivery.asked().toString(), () -> {
                    DecidedInTest test = new DecidedInTest();
                    test.runs(delivery, Interference.none());
                    test.assertRecorded();
                }));
    }

    @Test
    void records_the_version_if_the_rename_fails_because_of_locks() {
        world.heldByAnother("/a", "/c");

        runs(A_TO_B, Interference.none());

        assertThat(world.outcome("r1").status()).isEqualTo(Status.FAILED);
        assertRecorded();
    }

    @Test
    void records_the_version_if_a_no_op_write_follows_the_commit() {
        runs(A_TO_B, Interference.after("journal.write MOVING", 1, this::writeNoOp));

        assertRecorded();
    }

    @Test
    void records_the_version_if_a_sweep_touches_the_entry_right_after_the_commit() {
        runs(A_TO_B, Interference.after("journal.write MOVING", 1, this::sweep));

        assertRecorded();
    }

    @Test
    void records_the_version_if_the_answer_to_the_commit_is_lost() {
        runs(A_TO_B, lostAfter("journal.write MOVING", () -> {}));

        assertRecorded();
    }

    @Test
    void records_the_version_if_the_answer_to_the_commit_is_lost_and_the_entry_is_touched() {
        runs(A_TO_B, lostAfter("journal.write MOVING", this::writeNoOp));

        assertRecorded();
    }

    private static Interference lostAfter(String name, Runnable event) {
        return Interference.after(name, 1, () -> {
            event.run();
            throw new NoAnswerException("the answer is lost", null);
        });
    }

    @TestFactory
    Stream<DynamicTest> records_the_version_if_the_process_dies_at_any_write() {
        return Stream.of(A_TO_B, NOT_THERE)
                .flatMap(delivery -> writesOf(delivery).stream()
                        .map(last -> dynamicTest(delivery.asked() + ", dead after " + last, () -> {
                            DecidedInTest test = new DecidedInTest();
                            test.runs(delivery, Death.at(last, true));

                            test.world.rollForward("janitor-1").ofDead("r1");
                            test.world.renamer("worker-2").run(delivery);

                            test.assertRecorded();
                        })));
    }

    private static List<Call> writesOf(Delivery delivery) {
        World reference = new World().withTree();
        reference.renamer().run(delivery);
        return reference.calls.writesMade();
    }

    @Test
    void numbers_the_decisions_in_their_order() {
        world.renamer().run(A_TO_B);
        world.renamer().run(Deliveries.of(Deliveries.rename("r2", "files", "/x", "/y")));
        world.renamer().run(Deliveries.of(Deliveries.rename("r3", "files", "/b", "/c")));

        assertThat(Stream.of("r1", "r2", "r3")
                        .map(id -> Objects.requireNonNull(world.entry(id).decidedIn())
                                .seqNo()))
                .isSorted()
                .doesNotHaveDuplicates();
    }
}
