package org.treerename.janitor.recovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.treerename.janitor.recovery.RollForward.Result;
import org.treerename.journal.Deliveries;
import org.treerename.journal.Delivery;
import org.treerename.journal.ExternalWriter;
import org.treerename.journal.JournalEntry;
import org.treerename.journal.JournalStep;
import org.treerename.journal.State;
import org.treerename.journal.Waiting;
import org.treerename.journal.WriteTarget;
import org.treerename.lock.Hold;
import org.treerename.lock.LockMode;
import org.treerename.path.TreePath;
import org.treerename.process.FencedException;
import org.treerename.process.ProcessDocument;
import org.treerename.process.ProcessId;
import org.treerename.process.ProcessState;
import org.treerename.producer.writer.WriteLocks;
import org.treerename.producer.writer.WriteLocks.Taken;
import org.treerename.rename.Renamer;
import org.treerename.request.Reason;
import org.treerename.request.RecordPosition;
import org.treerename.request.Status;
import org.treerename.store.Death;
import org.treerename.store.Interference;
import org.treerename.store.Interference.Call;
import org.treerename.store.RefusedException;
import org.treerename.store.Versioned;

/** Tests how writers acquire and release locks, and how renames and janitors treat the locks of writers. */
class WriteLocksTest {

    private final World world = new World().withTree();

    private static WriteTarget into(String... directories) {
        return new WriteTarget("files", List.of(directories));
    }

    private static WriteLocks locks(World world, String processId) {
        return new WriteLocks(world.stores(), world.context(processId));
    }

    private Taken take(String processId, String... directories) {
        return locks(world, processId).take(into(directories), World.LOCK_WAIT, world.stop);
    }

    private Taken.Held held(String processId, String... directories) {
        assertThat(take(processId, directories)).isInstanceOf(Taken.Held.class);
        JournalEntry newest = world.journal.entries().stream()
                .filter(entry -> entry.state() == State.HELD)
                .filter(entry -> into(directories).equals(entry.writeTarget()))
                .findFirst()
                .orElseThrow();
        return new Taken.Held(world.journal.read(newest.requestId()).orElseThrow());
    }

    private void release(Taken.Held held) {
        locks(world, held.entry().value().ownership().processId()).release(held.entry());
    }

    private JournalEntry entryOf(Taken.Held held) {
        return world.entry(held.entry().value().requestId());
    }

    private static Delivery rename(String source, String destination) {
        return Deliveries.of(Deliveries.rename("r1", "files", source, destination));
    }

    @Test
    void a_writer_holds_shared_locks_of_its_directories_under_its_own_entry() {
        Taken.Held held = held("writer-1", "/a/d", "/x");

        assertThat(world.heldPaths()).containsExactly("/a/d", "/x");
        assertThat(world.locks.tables())
                .allSatisfy(table -> assertThat(table.holds().values())
                        .singleElement()
                        .satisfies(its -> {
                            assertThat(its.paths().values()).containsOnly(LockMode.SHARED);
                            assertThat(its.hold().holdId())
                                    .isEqualTo(held.entry().value().ownership().holdId());
                            assertThat(its.hold().processId()).isEqualTo("writer-1");
                        }));
        assertThat(entryOf(held))
                .returns(State.HELD, JournalEntry::state)
                .returns(into("/a/d", "/x"), JournalEntry::writeTarget)
                .returns(null, JournalEntry::request)
                .returns(RecordPosition.NOWHERE, JournalEntry::place);

        release(held);

        assertThat(entryOf(held).ended()).isEmpty();
        world.assertQuiet();
    }

    @Test
    void a_writer_into_the_root_needs_no_lock_because_the_root_is_never_renamed() {
        Taken.Held held = held("writer-1", "/");

        assertThat(world.locks.tables()).isEmpty();
        release(held);
        world.assertQuiet();
    }

    @Test
    void two_writers_share_a_directory_and_each_releases_its_own_lock() {
        Taken.Held one = held("writer-1", "/a/d");
        Taken.Held other = held("writer-2", "/a");

        release(one);

        assertThat(world.heldPaths()).containsExactly("/a");
        assertThat(world.locks.tables())
                .singleElement()
                .satisfies(table -> assertThat(table.holds().values())
                        .singleElement()
                        .returns("writer-2", its -> its.hold().processId()));
        release(other);
        world.assertQuiet();
    }

    @ParameterizedTest(name = "{0} to {1}")
    @CsvSource({"/a/d, /c", "/a, /c", "/ab, /a/d", "/ab, /a"})
    void a_rename_that_moves_or_replaces_the_directory_waits_for_the_writer(String source, String destination) {
        Taken.Held held = held("writer-1", "/a/d");
        world.time.plan(Duration.ofSeconds(3), () -> {
            assertThat(world.paths()).isEqualTo(World.treeAt("/a"));
            release(held);
        });

        world.renamer().run(rename(source, destination));

        assertThat(world.entry("r1").waiting().refusedBy())
                .isEqualTo(held.entry().value().requestId());
        assertThat(world.outcome("r1").reason()).isIn(null, Reason.DESTINATION_EXISTS);
        world.assertQuiet();
    }

    @ParameterizedTest(name = "{0} to {1}")
    @CsvSource({"/a/d/1, /a/d/2", "/a/1, /a/3", "/ab, /c", "/a/1, /c"})
    void renames_inside_the_directory_and_elsewhere_do_not_wait(String source, String destination) {
        Taken.Held held = held("writer-1", "/a/d");

        world.renamer().run(rename(source, destination));

        assertThat(world.outcome("r1").status()).isEqualTo(Status.COMPLETED);
        assertThat(world.entry("r1").waiting().refusals()).isZero();
        release(held);
        world.assertQuiet();
    }

    @Test
    void a_writer_waits_until_a_rename_has_ended() {
        world.heldByAnother("/a", "/c");
        world.time.plan(Duration.ofSeconds(3), () -> world.otherEnds("/a", "/c"));

        Taken.Held held = held("writer-1", "/a/d");

        assertThat(entryOf(held).waiting())
                .returns("other", Waiting::refusedBy)
                .returns("/a is held exclusively by request other of process worker-9", Waiting::refusal);
        release(held);
        world.assertQuiet();
    }

    @Test
    void a_writer_that_waited_too_long_reports_the_holder_and_leaves_no_lock() {
        world.heldByAnother("/a", "/c");

        Taken taken = take("writer-1", "/a/d");

        assertThat(taken)
                .isInstanceOfSatisfying(
                        Taken.Locked.class,
                        locked -> assertThat(locked.blocker())
                                .hasToString("/a is held exclusively by request other of process worker-9"));
        world.otherEnds("/a", "/c");
        world.assertQuiet();
    }

    @Test
    void a_writer_does_not_pass_a_rename_that_has_waited_for_longer() {
        Taken.Held first = held("writer-1", "/a");
        Delivery older = rename("/a", "/c");
        world.locks.take("files", new TreePath("/a"), LockMode.EXCLUSIVE, new Hold("h", "worker-1", older.age()));

        assertThat(take("writer-2", "/a/d")).isInstanceOf(Taken.Locked.class);

        release(first);
        world.renamer().run(older);
        assertThat(world.outcome("r1").status()).isEqualTo(Status.COMPLETED);
        world.assertQuiet();
    }

    @Test
    void a_writer_that_stops_while_it_waits_leaves_no_lock() {
        world.heldByAnother("/a", "/c");
        world.time.plan(Duration.ofSeconds(1), world.stop::request);

        assertThat(take("writer-1", "/a/d")).isEqualTo(new Taken.Stopped());

        world.otherEnds("/a", "/c");
        world.assertQuiet();
    }

    @Test
    void refuses_an_invalid_path_before_it_writes() {
        assertThatThrownBy(() -> take("writer-1", "/a/d", "a"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a path must begin with \"/\", found \"a\"");
        assertThat(world.calls.made()).isEmpty();
    }

    @Test
    void a_writer_locks_one_to_a_hundred_directories_at_once() {
        List<String> many = IntStream.range(0, WriteTarget.MOST_DIRECTORIES + 1)
                .mapToObj(i -> "/" + i)
                .toList();

        assertThat(new WriteTarget("files", many.subList(1, many.size())).directories())
                .hasSize(WriteTarget.MOST_DIRECTORIES);
        assertThatThrownBy(() -> new WriteTarget("files", many))
                .hasMessageContaining("1 to 100")
                .hasMessageContaining("101");
        assertThatThrownBy(() -> new WriteTarget("files", List.of())).hasMessageContaining("found 0");
    }

    private static void acquireAndRelease(World world) {
        WriteLocks locks = locks(world, "writer-1");
        Taken.Held held = (Taken.Held) locks.take(into("/a/d"), World.LOCK_WAIT, world.stop);
        locks.release(held.entry());
    }

    private static List<Call> writes() {
        World world = new World().withTree();
        acquireAndRelease(world);
        return world.calls.writesMade();
    }

    @TestFactory
    Stream<DynamicTest> leaves_no_lock_whatever_write_gets_no_answer() {
        return writes().stream()
                .flatMap(call -> Stream.of(true, false)
                        .map(arrived -> dynamicTest(
                                call + (arrived ? " arrived, its answer did not" : " did not arrive"), () -> {
                                    World world = new World().withTree();
                                    world.calls.interfere(
                                            arrived
                                                    ? Interference.answerLostAt(call.number())
                                                    : Interference.notArrivedAt(call.number()));

                                    acquireAndRelease(world);

                                    assertThat(world.journal.entries()).hasSize(1);
                                    world.assertQuiet();
                                })));
    }

    @TestFactory
    Stream<DynamicTest> a_janitor_releases_and_closes_without_an_outcome_after_a_writer_has_died_at_any_write() {
        return writes().stream()
                .flatMap(call -> Stream.of(true, false)
                        .map(arrived -> dynamicTest(call + (arrived ? " arrived" : " did not arrive"), () -> {
                            World world = new World().withTree();
                            world.process("writer-1", ProcessState.LIVE);
                            world.calls.interfere(Death.at(call, arrived));
                            assertThat(Death.of(() -> acquireAndRelease(world))).isTrue();
                            world.calls.interfere(Interference.none());

                            List<String> open = world.journal.in(State.needingOwner());
                            for (String id : open) {
                                assertThat(world.rollForward("janitor-1").ofDead(id))
                                        .isEqualTo(Result.LEFT_ALONE);
                            }
                            world.processes.write(
                                    process(world).value().in(ProcessState.FENCED),
                                    process(world).version());
                            for (String id : open) {
                                assertThat(world.rollForward("janitor-1").ofDead(id))
                                        .isEqualTo(Result.LEFT_ALONE);
                            }
                            world.time.advance(World.LEASE);
                            for (String id : open) {
                                assertThat(world.rollForward("janitor-1").ofDead(id))
                                        .isEqualTo(Result.CLOSED);
                            }
                            world.sweep("janitor-1").sweep();

                            for (JournalEntry entry : world.journal.entries()) {
                                assertThat(world.outcomes.of(entry.requestId())).isEmpty();
                            }
                            world.assertQuiet();
                        })));
    }

    private static Versioned<ProcessDocument> process(World world) {
        return world.processes.read(new ProcessId("writer-1")).orElseThrow();
    }

    @Test
    void a_janitor_keeps_the_locks_of_a_fenced_writer_until_one_lease_after_it_first_saw_the_fence() {
        world.process("writer-1", ProcessState.LIVE);
        Taken.Held held = held("writer-1", "/a/d");
        String id = held.entry().value().requestId();
        world.processes.write(
                process(world).value().in(ProcessState.FENCED), process(world).version());

        assertThat(world.rollForward("janitor-1").ofDead(id)).isEqualTo(Result.LEFT_ALONE);
        world.time.advance(World.LEASE.minusNanos(1));
        assertThat(world.rollForward("janitor-1").ofDead(id)).isEqualTo(Result.LEFT_ALONE);
        assertThat(entryOf(held)).isEqualTo(held.entry().value());
        assertThat(world.locks.tables()).isNotEmpty();

        world.time.advance(Duration.ofNanos(1));
        assertThat(world.rollForward("janitor-1").ofDead(id)).isEqualTo(Result.CLOSED);
        world.assertQuiet();
    }

    @Test
    void a_janitor_releases_the_locks_of_a_stopped_writer_at_once() {
        world.process("writer-1", ProcessState.LIVE);
        Taken.Held held = held("writer-1", "/a/d");
        world.processes.write(
                process(world).value().in(ProcessState.STOPPED), process(world).version());

        assertThat(world.rollForward("janitor-1").ofDead(held.entry().value().requestId()))
                .isEqualTo(Result.CLOSED);

        world.assertQuiet();
    }

    @Test
    void closes_an_entry_although_another_process_touches_it() {
        Taken.Held held = held("writer-1", "/a/d");
        world.calls.interfere(Interference.before("journal.write CLOSED", 1, () -> {
            Versioned<JournalEntry> found =
                    world.journal.read(held.entry().value().requestId()).orElseThrow();
            world.journal.write(JournalStep.NO_OP, found.value().withNoOp(), found.version());
        }));

        release(held);

        world.assertQuiet();
    }

    @Test
    void closes_an_entry_that_a_janitor_has_taken_over() {
        Taken.Held held = held("writer-1", "/a/d");
        world.calls.interfere(Interference.before(
                "journal.write CLOSED",
                1,
                () -> world.journal.write(
                        JournalStep.TAKE_OVER,
                        held.entry().value().takenOver("janitor-1"),
                        held.entry().version())));

        release(held);

        world.assertQuiet();
    }

    @Test
    void a_fenced_writer_changes_nothing() {
        Taken.Held held = held("writer-1", "/a/d");
        world.stop.abandon();

        assertThatThrownBy(() -> release(held)).isInstanceOf(FencedException.class);

        assertThat(entryOf(held)).isEqualTo(held.entry().value());
    }

    @Test
    void an_unexpected_failure_leaves_no_open_entry() {
        world.calls.interfere(Interference.after("journal.prepare", 1, () -> {
            throw new RefusedException("unexpected");
        }));

        assertThatThrownBy(() -> take("writer-1", "/a/d")).hasMessage("unexpected");

        assertThat(world.journal.entries()).hasSize(1);
        world.assertQuiet();
    }

    @Test
    void a_failure_after_a_refusal_leaves_no_claim() {
        world.heldByAnother("/a", "/c");
        world.time.plan(Duration.ofSeconds(1), () -> {
            assertThat(world.locks.claimsAt("files", new TreePath("/a/d"))).hasSize(1);
            world.otherEnds("/a", "/c");
        });
        world.calls.interfere(Interference.after("journal.prepare", 2, () -> {
            throw new RefusedException("unexpected");
        }));

        assertThatThrownBy(() -> take("writer-1", "/a/d")).hasMessage("unexpected");

        world.assertQuiet();
        assertThat(world.stop.isRequested()).isFalse();
    }

    @Test
    void a_process_that_cannot_release_its_locks_stops_so_that_a_janitor_releases_them() {
        world.calls.interfere(new Interference() {
            @Override
            public void before(Call call) {
                if (call.name().equals("locks.release")) {
                    throw new RefusedException("forbidden");
                }
            }

            @Override
            public void after(Call call) {
                if (call.name().equals("journal.prepare")) {
                    throw new RefusedException("unexpected");
                }
            }
        });

        assertThatThrownBy(() -> take("writer-1", "/a/d")).isInstanceOf(RefusedException.class);

        assertThat(world.stop.isRequested()).isTrue();
    }

    @Test
    void a_late_lock_of_a_closed_writer_blocks_no_rename_after_a_sweep() {
        world.time.plan(Duration.ofSeconds(5), () -> world.sweep("janitor-1").sweep());
        Taken.Held held = held("writer-1", "/a/d");
        JournalEntry entry = held.entry().value();
        release(held);
        world.locks.take(
                "files",
                new TreePath("/a/d"),
                LockMode.SHARED,
                new Hold(String.valueOf(entry.ownership().holdId()), "writer-1", entry.age()));

        world.renamer().run(rename("/a/d", "/c"));

        assertThat(world.outcome("r1").status()).isEqualTo(Status.COMPLETED);
        world.assertQuiet();
    }

    @Test
    void a_sweep_keeps_the_locks_of_a_writer() {
        Taken.Held held = held("writer-1", "/a/d");

        assertThat(world.sweep("janitor-1").sweep()).isZero();

        assertThat(entryOf(held)).isEqualTo(held.entry().value());
        release(held);
    }

    @Test
    void the_placeholder_of_a_sweep_becomes_the_entry_of_the_writer() {
        ExternalWriter writer = new ExternalWriter("write-1", into("/a"), world.time.now());
        JournalEntry placeholder = JournalEntry.placeholder("write-1", "janitor-1", world.time.now());

        assertThat(writer.isItsOwn(placeholder)).isTrue();
        assertThat(writer.again(placeholder)).isEqualTo(writer.begun(placeholder.ownership()));
        assertThat(writer.isItsOwn(JournalEntry.prepared(rename("/a", "/b"), placeholder.ownership())))
                .isFalse();
    }

    @Test
    void closes_a_placeholder_in_place_of_the_entry() {
        Taken.Held held = held("writer-1", "/a/d");
        world.journal.delete(List.of(held.entry()));
        world.journal.create(
                JournalStep.PLACEHOLDER,
                JournalEntry.placeholder(held.entry().value().requestId(), "janitor-1", world.time.now()));

        release(held);

        world.assertQuiet();
    }

    @Test
    void deletes_a_closed_entry_after_its_retention_although_the_log_has_no_records() {
        acquireAndRelease(world);
        JournalCleanup expiry = world.expiry("janitor-1");
        assertThat(expiry.deleteClosed(expiry.limit().orElseThrow())).isZero();
        world.time.advance(World.ENTRY_RETENTION.plusSeconds(1));

        assertThat(expiry.deleteClosed(expiry.limit().orElseThrow())).isEqualTo(1);

        assertThat(world.journal.entries()).isEmpty();
    }

    @Test
    void a_request_with_the_id_of_a_writer_is_reported_as_reused() {
        Taken.Held held = held("writer-1", "/a/d");
        String id = held.entry().value().requestId();

        assertThat(world.renamer().run(Deliveries.of(Deliveries.rename(id, "files", "/ab", "/c"))))
                .isEqualTo(new Renamer.Answer.Reused());

        assertThat(entryOf(held).state()).isEqualTo(State.HELD);
        release(held);
        world.assertQuiet();
    }
}
