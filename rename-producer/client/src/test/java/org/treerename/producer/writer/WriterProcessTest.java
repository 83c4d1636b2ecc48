package org.treerename.producer.writer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.treerename.journal.JournalEntry;
import org.treerename.journal.State;
import org.treerename.lock.Hold;
import org.treerename.lock.LockMode;
import org.treerename.lock.LockPriority;
import org.treerename.path.TreePath;
import org.treerename.process.FencedException;
import org.treerename.process.ProcessState;
import org.treerename.store.Interference;
import org.treerename.store.RefusedException;

class WriterProcessTest extends WriterFixture {

    private final List<String> losses = new ArrayList<>();

    /** Advances the clock after the acquisition of the locks until the lease is in doubt. */
    private void pauseAfterAcquisition() {
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

    @Test
    void a_hold_is_held_until_it_is_closed_and_close_reports_no_loss() {
        WriteHold hold = acquire();
        hold.onLoss(() -> losses.add("lost"));
        boolean before = hold.stillHeld();

        hold.close();
        hold.close();

        assertThat(before).isTrue();
        assertThat(hold.stillHeld()).isFalse();
        assertThat(hold.directories()).containsExactly("/a");
        assertThat(losses).isEmpty();
        assertThat(locks.tables()).isEmpty();
        assertThat(journal.entries()).extracting(JournalEntry::state).containsExactly(State.CLOSED);
    }

    @Test
    void a_hold_is_lost_after_a_long_pause_of_the_program_before_the_watch_has_run() {
        WriteHold hold = acquire();
        hold.onLoss(() -> losses.add("lost"));

        time.advance(LEASE.doubtAfter().plusNanos(1));

        assertThat(hold.stillHeld()).isFalse();
        assertThat(losses).containsExactly("lost");
    }

    @Test
    void returns_no_hold_before_a_heartbeat_has_ended_the_doubt() {
        pauseAfterAcquisition();
        time.plan(LEASE.length(), incarnation::beat);
        long begun = time.nanos();

        WriteHold hold = acquire();

        assertThat(hold.stillHeld()).isTrue();
        assertThat(Duration.ofNanos(time.nanos() - begun)).isGreaterThanOrEqualTo(LEASE.length());
    }

    @Test
    void returns_no_hold_to_a_process_that_was_fenced_during_the_acquisition() {
        pauseAfterAcquisition();
        time.plan(LEASE.length(), () -> {
            processes.write(
                    processes.read(ID).orElseThrow().value().in(ProcessState.FENCED),
                    processes.read(ID).orElseThrow().version());
            incarnation.beat();
        });

        assertThatThrownBy(this::acquire).isInstanceOf(FencedException.class);
    }

    @Test
    void a_lost_hold_stays_lost_after_new_heartbeats_and_keeps_its_locks_until_it_is_closed() {
        WriteHold hold = acquire();
        time.advance(LEASE.doubtAfter().plusNanos(1));
        process.watch();
        incarnation.beat();

        assertThat(hold.stillHeld()).isFalse();
        assertThat(state(hold)).isEqualTo(State.HELD);
        assertThat(locks.tables()).hasSize(1);
        WriteHold next = acquire();
        assertThat(next.stillHeld()).isTrue();

        hold.close();
        next.close();
        assertThat(locks.tables()).isEmpty();
    }

    @Test
    void calls_a_listener_at_once_if_the_hold_is_already_lost() {
        WriteHold hold = acquire();
        time.advance(LEASE.length());
        process.watch();

        hold.onLoss(() -> losses.add("late"));

        assertThat(losses).containsExactly("late");
    }

    @Test
    void calls_the_other_listeners_if_one_listener_fails() {
        WriteHold one = acquire();
        WriteHold other = acquire();
        one.onLoss(() -> {
            throw new IllegalStateException("the listener failed");
        });
        one.onLoss(() -> losses.add("one"));
        other.onLoss(() -> losses.add("other"));
        time.advance(LEASE.length());

        process.watch();

        assertThat(losses).containsExactlyInAnyOrder("one", "other");
    }

    @Test
    void a_fenced_process_loses_its_holds_releases_no_lock_and_acquires_no_hold() {
        WriteHold hold = acquire();
        processes.write(
                processes.read(ID).orElseThrow().value().in(ProcessState.FENCED),
                processes.read(ID).orElseThrow().version());
        incarnation.beat();

        assertThat(hold.stillHeld()).isFalse();
        hold.close();
        assertThat(state(hold)).isEqualTo(State.HELD);
        assertThatThrownBy(this::acquire).isInstanceOf(FencedException.class);
        assertThat(journal.entries()).hasSize(1);
    }

    @Test
    void end_loses_all_holds_and_releases_those_that_are_not_closed_in_time() {
        WriteHold closedInTime = acquire();
        WriteHold neverClosed = acquire();
        closedInTime.onLoss(() -> time.plan(Duration.ofSeconds(1), closedInTime::close));
        neverClosed.onLoss(() -> losses.add("neverClosed"));
        stop.request();
        long begun = time.nanos();

        process.end(Duration.ofSeconds(2));

        assertThat(losses).containsExactly("neverClosed");
        assertThat(Duration.ofNanos(time.nanos() - begun)).isGreaterThanOrEqualTo(Duration.ofSeconds(2));
        assertThat(locks.tables()).isEmpty();
        assertThat(journal.entries()).extracting(JournalEntry::state).containsExactly(State.CLOSED, State.CLOSED);
        neverClosed.close();
        assertThat(neverClosed.stillHeld()).isFalse();
    }

    @Test
    void a_writer_that_waits_too_long_gets_an_error_that_names_the_blocker() {
        WriteHold held = acquire();
        // a rename of /a waits, and its claim blocks younger writers
        locks.take(
                "files", new TreePath("/a"), LockMode.EXCLUSIVE, new Hold("h", "worker-1", new LockPriority(0, "r1")));

        assertThatThrownBy(this::acquire)
                .isInstanceOf(LockedException.class)
                .hasMessage(
                        "waited 10000 ms for the locks to write into /a in files: /a is claimed exclusively by the older request r1");

        assertThat(held.stillHeld()).isTrue();
        assertThat(journal.entries())
                .extracting(JournalEntry::state)
                .containsExactlyInAnyOrder(State.HELD, State.CLOSED);
    }

    @Test
    void a_failed_release_ends_the_process_so_that_a_janitor_releases_the_locks() {
        WriteHold hold = acquire();
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
