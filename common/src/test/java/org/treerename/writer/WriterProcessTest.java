package org.treerename.writer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.resilience4j.core.IntervalFunction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.treerename.lock.FaultyLockStore;
import org.treerename.lock.Hold;
import org.treerename.lock.InMemoryLockStore;
import org.treerename.lock.LockMode;
import org.treerename.lock.LockPriority;
import org.treerename.path.InMemoryNamespaces;
import org.treerename.path.Namespace;
import org.treerename.path.Namespaces;
import org.treerename.path.TreePath;
import org.treerename.process.DeathWatch;
import org.treerename.process.FaultyProcessStore;
import org.treerename.process.FencedException;
import org.treerename.process.Heartbeat;
import org.treerename.process.InMemoryProcessStore;
import org.treerename.process.Incarnation;
import org.treerename.process.Lease;
import org.treerename.process.OwnWrites;
import org.treerename.process.ProcessDocument;
import org.treerename.process.ProcessId;
import org.treerename.process.ProcessState;
import org.treerename.rename.FaultyJournal;
import org.treerename.rename.InMemoryJournal;
import org.treerename.rename.JournalEntry;
import org.treerename.rename.LockBooks;
import org.treerename.rename.ProcessContext;
import org.treerename.rename.State;
import org.treerename.rename.WriteLocks;
import org.treerename.rename.WriteTarget;
import org.treerename.runtime.Backoff;
import org.treerename.runtime.ManualTime;
import org.treerename.runtime.StopSignal;
import org.treerename.store.Calls;
import org.treerename.store.InMemoryControlIndex;
import org.treerename.store.Interference;
import org.treerename.store.NoAnswerException;
import org.treerename.store.RefusedException;

class WriterProcessTest {

    private static final Lease LEASE = new Lease(Duration.ofSeconds(30));
    private static final ProcessId ID = new ProcessId("writer-1");
    private static final WriteTarget INTO_A = new WriteTarget("files", List.of("/a"));

    private final ManualTime time = ManualTime.startingAt("2026-03-01T10:00:00Z");
    private final InMemoryControlIndex control = new InMemoryControlIndex();
    private final InMemoryLockStore locks = new InMemoryLockStore(control);
    private final InMemoryJournal journal = new InMemoryJournal(control, locks);
    private final InMemoryProcessStore processes = new InMemoryProcessStore(control);
    private final Calls heartbeats = new Calls(Interference.none());
    private final StopSignal stop = new StopSignal();
    private final Incarnation incarnation = new Incarnation(
            Heartbeat.begin(
                    new FaultyProcessStore(processes, heartbeats),
                    ProcessDocument.live(
                            ID, "writer", "host", LEASE.length(), time.now(), InMemoryProcessStore.CONTROL_INDEX_UUID)),
            LEASE,
            time,
            stop,
            sentNanos -> {});
    private final ProcessContext context = new ProcessContext(
            ID.text(),
            time,
            new Backoff.Factory(time, IntervalFunction.of(Duration.ofMillis(100))),
            Duration.ZERO,
            2,
            stop);
    private final Calls releases = new Calls(Interference.none());
    private final Calls entries = new Calls(Interference.none());
    private final WriterProcess process = new WriterProcess(
            new WriteLocks(
                    LockBooks.of(
                            namespaces(), new FaultyJournal(journal, entries), new FaultyLockStore(locks, releases)),
                    context),
            context,
            Runnable::run);
    private final List<String> told = new ArrayList<>();

    private static Namespaces namespaces() {
        Namespaces namespaces = new InMemoryNamespaces();
        namespaces.define(Namespace.ofFiles("files", "files"));
        return namespaces;
    }

    private WriteHold take() {
        return process.take(INTO_A, Duration.ofSeconds(10), stop.part());
    }

    /** The program stands still for so long that it must doubt its lease, once the locks are acquired. */
    private void standStillAfterAcquisition() {
        entries.interfere(new Interference() {
            @Override
            public void after(Call call) {
                if (call.name().equals("journal.prepare")) {
                    time.advance(LEASE.doubtAfter().plusNanos(1));
                }
            }
        });
    }

    private State state(WriteHold hold) {
        return journal.read(hold.requestId()).orElseThrow().value().state();
    }

    private void silence() {
        heartbeats.interfere(new Interference() {
            @Override
            public void before(Call call) {
                throw new NoAnswerException("nobody answers", null);
            }
        });
    }

    @Test
    void it_is_held_until_it_is_closed_and_closing_reports_no_loss() {
        WriteHold hold = take();
        hold.onLoss(() -> told.add("lost"));
        boolean before = hold.stillHeld();

        hold.close();
        hold.close();

        assertThat(before).isTrue();
        assertThat(hold.stillHeld()).isFalse();
        assertThat(hold.directories()).containsExactly("/a");
        assertThat(told).isEmpty();
        assertThat(locks.tables()).isEmpty();
        assertThat(journal.entries()).extracting(JournalEntry::state).containsExactly(State.CLOSED);
    }

    @Test
    void who_holds_is_told_of_a_loss_long_before_anybody_can_have_taken_the_process_for_dead() {
        OwnWrites ownWrites = new OwnWrites();
        DeathWatch watch = new DeathWatch(processes, time, ownWrites, LEASE);
        Duration step = LEASE.length().dividedBy(20);
        incarnation.beat();
        watch.look();
        WriteHold hold = take();
        long begun = time.nanos();
        List<Duration> lostAfter = new ArrayList<>();
        hold.onLoss(() -> lostAfter.add(Duration.ofNanos(time.nanos() - begun)));
        silence();

        while (processes.read(ID).orElseThrow().value().state() == ProcessState.LIVE) {
            time.advance(step);
            ownWrites.acknowledged(time.nanos());
            incarnation.beat();
            process.watch();
            watch.look();
        }

        Duration fencedAfter = Duration.ofNanos(time.nanos() - begun);
        assertThat(lostAfter)
                .singleElement()
                .satisfies(after -> assertThat(after)
                        .isGreaterThan(LEASE.doubtAfter())
                        .isLessThanOrEqualTo(LEASE.doubtAfter().plus(step)));
        assertThat(fencedAfter).isGreaterThanOrEqualTo(LEASE.length());
    }

    @Test
    void after_a_pause_of_the_whole_program_the_question_is_answered_with_no_before_anybody_has_looked() {
        WriteHold hold = take();
        hold.onLoss(() -> told.add("lost"));

        time.advance(LEASE.doubtAfter().plusNanos(1));

        assertThat(hold.stillHeld()).isFalse();
        assertThat(told).containsExactly("lost");
    }

    @Test
    void returns_no_hold_before_a_heartbeat_has_ended_the_doubt() {
        standStillAfterAcquisition();
        time.plan(LEASE.length(), incarnation::beat);
        long begun = time.nanos();

        WriteHold hold = take();

        assertThat(hold.stillHeld()).isTrue();
        assertThat(Duration.ofNanos(time.nanos() - begun)).isGreaterThanOrEqualTo(LEASE.length());
    }

    @Test
    void returns_no_hold_to_a_process_that_was_fenced_during_the_acquisition() {
        standStillAfterAcquisition();
        time.plan(LEASE.length(), () -> {
            processes.write(
                    processes.read(ID).orElseThrow().value().in(ProcessState.FENCED),
                    processes.read(ID).orElseThrow().version());
            incarnation.beat();
        });

        assertThatThrownBy(this::take).isInstanceOf(FencedException.class);
    }

    @Test
    void what_is_lost_stays_lost_when_heartbeats_are_acknowledged_again_and_its_locks_stand_until_it_is_closed() {
        WriteHold hold = take();
        time.advance(LEASE.doubtAfter().plusNanos(1));
        process.watch();
        incarnation.beat();

        assertThat(hold.stillHeld()).isFalse();
        assertThat(state(hold)).isEqualTo(State.HELD);
        assertThat(locks.tables()).hasSize(1);
        WriteHold next = take();
        assertThat(next.stillHeld()).isTrue();

        hold.close();
        next.close();
        assertThat(locks.tables()).isEmpty();
    }

    @Test
    void who_asks_to_be_told_when_it_is_lost_already_is_told_at_once() {
        WriteHold hold = take();
        time.advance(LEASE.length());
        process.watch();

        hold.onLoss(() -> told.add("late"));

        assertThat(told).containsExactly("late");
    }

    @Test
    void a_holder_that_fails_when_it_is_told_keeps_nobody_else_from_being_told() {
        WriteHold one = take();
        WriteHold other = take();
        one.onLoss(() -> {
            throw new IllegalStateException("a holder's own");
        });
        one.onLoss(() -> told.add("one"));
        other.onLoss(() -> told.add("other"));
        time.advance(LEASE.length());

        process.watch();

        assertThat(told).containsExactlyInAnyOrder("one", "other");
    }

    @Test
    void a_fenced_process_has_lost_what_it_held_touches_nothing_and_gets_nothing_more() {
        WriteHold hold = take();
        processes.write(
                processes.read(ID).orElseThrow().value().in(ProcessState.FENCED),
                processes.read(ID).orElseThrow().version());
        incarnation.beat();

        assertThat(hold.stillHeld()).isFalse();
        hold.close();
        assertThat(state(hold)).isEqualTo(State.HELD);
        assertThatThrownBy(this::take).isInstanceOf(FencedException.class);
        assertThat(journal.entries()).hasSize(1);
    }

    @Test
    void at_the_end_all_is_lost_and_who_does_not_close_in_time_has_it_given_back_for_him() {
        WriteHold closesHisOwn = take();
        WriteHold forgets = take();
        closesHisOwn.onLoss(() -> time.plan(Duration.ofSeconds(1), closesHisOwn::close));
        forgets.onLoss(() -> told.add("forgets"));
        stop.request();
        long begun = time.nanos();

        process.end(Duration.ofSeconds(2));

        assertThat(told).containsExactly("forgets");
        assertThat(Duration.ofNanos(time.nanos() - begun)).isGreaterThanOrEqualTo(Duration.ofSeconds(2));
        assertThat(locks.tables()).isEmpty();
        assertThat(journal.entries()).extracting(JournalEntry::state).containsExactly(State.CLOSED, State.CLOSED);
        forgets.close();
        assertThat(forgets.stillHeld()).isFalse();
    }

    @Test
    void who_waits_too_long_is_told_by_whom() {
        WriteHold held = take();
        // a rename of /a waits, and its claim keeps younger writers out
        locks.take(
                "files", new TreePath("/a"), LockMode.EXCLUSIVE, new Hold("h", "worker-1", new LockPriority(0, "r1")));

        assertThatThrownBy(this::take)
                .isInstanceOf(LockedException.class)
                .hasMessage(
                        "waited 10000 ms to write into /a in files: /a is claimed exclusively by the older request r1");

        assertThat(held.stillHeld()).isTrue();
        assertThat(journal.entries())
                .extracting(JournalEntry::state)
                .containsExactlyInAnyOrder(State.HELD, State.CLOSED);
    }

    @Test
    void what_cannot_be_given_back_ends_the_process_so_that_a_janitor_does() {
        WriteHold hold = take();
        releases.interfere(new Interference() {
            @Override
            public void before(Call call) {
                throw new RefusedException("forbidden");
            }
        });

        hold.close();

        assertThat(stop.isRequested()).isTrue();
        assertThat(state(hold)).isEqualTo(State.HELD);
    }
}
