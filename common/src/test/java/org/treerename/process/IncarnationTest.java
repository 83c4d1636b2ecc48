package org.treerename.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.treerename.process.Incarnation.End;
import org.treerename.runtime.ManualTime;
import org.treerename.runtime.StopSignal;
import org.treerename.runtime.Time;
import org.treerename.store.Calls;
import org.treerename.store.InMemoryControlIndex;
import org.treerename.store.Interference;
import org.treerename.store.NoAnswerException;
import org.treerename.store.Versioned;

@Timeout(60)
class IncarnationTest {

    private static final Lease LEASE = new Lease(Duration.ofSeconds(30));
    private static final Duration GRACE = Duration.ofSeconds(1);

    private final ManualTime time = ManualTime.startingAt("2026-03-01T10:00:00Z");
    private final InMemoryProcessStore processes = new InMemoryProcessStore(new InMemoryControlIndex());
    private final Calls calls = new Calls(Interference.none());
    private final StopSignal stop = new StopSignal();
    private final List<Long> acknowledged = new ArrayList<>();
    private final Heartbeat heartbeat = Heartbeat.begin(
            calls.around(ProcessStore.class, processes),
            ProcessDocument.live(
                    new ProcessId("worker-1"),
                    "worker",
                    "host",
                    LEASE.length(),
                    time.now(),
                    InMemoryProcessStore.CONTROL_INDEX_UUID));
    private final Incarnation incarnation = new Incarnation(heartbeat, LEASE, time, stop, acknowledged::add);

    /** Runs {@code passing}, which advances the clock, and then lets the call fail without an answer. */
    private static final class Silence implements Interference {
        private final Runnable passing;

        Silence(Runnable passing) {
            this.passing = passing;
        }

        @Override
        public void before(Call call) {
            passing.run();
            throw new NoAnswerException("no answer", null);
        }
    }

    private Versioned<ProcessDocument> stored() {
        return processes.read(new ProcessId("worker-1")).orElseThrow();
    }

    private void fence() {
        processes.write(stored().value().in(ProcessState.FENCED), stored().version());
    }

    @Test
    void an_acknowledged_heartbeat_is_reported_with_the_time_at_which_it_was_sent() {
        time.advance(Duration.ofSeconds(7));
        calls.interfere(Interference.before("processes.write", 1, () -> time.advance(Duration.ofSeconds(2))));

        incarnation.beat();

        assertThat(acknowledged).containsExactly(Duration.ofSeconds(7).toNanos());
    }

    @Test
    void a_process_whose_machine_was_suspended_is_in_doubt_until_a_heartbeat_is_acknowledged() {
        incarnation.beat();
        time.suspend(LEASE.doubtAfter());
        assertThat(stop.isHeld()).isFalse();

        time.suspend(Duration.ofMillis(1));
        assertThat(stop.isHeld()).isTrue();

        incarnation.beat();
        assertThat(stop.isHeld()).isFalse();
    }

    @Test
    void the_lease_counts_from_the_sending_of_a_heartbeat_and_not_from_its_answer() {
        Duration slow = Duration.ofSeconds(2);
        calls.interfere(Interference.after("processes.write", 1, () -> time.advance(slow)));
        incarnation.beat();

        time.advance(LEASE.doubtAfter().minus(slow));
        boolean before = stop.isHeld();
        time.advance(Duration.ofNanos(1));

        assertThat(before).isFalse();
        assertThat(stop.isHeld()).isTrue();
    }

    @Test
    void a_heartbeat_without_an_answer_is_not_reported() {
        calls.interfere(Interference.answerLostAt(2));

        incarnation.beat();

        assertThat(acknowledged).isEmpty();
    }

    @Test
    void one_heartbeat_without_an_answer_causes_no_doubt() {
        time.advance(LEASE.heartbeatEvery());
        calls.interfere(Interference.notArrivedAt(2));

        incarnation.beat();

        assertThat(stop.isHeld()).isFalse();
    }

    @Test
    void doubt_holds_the_work_before_the_lease_ends_and_an_acknowledgement_resumes_it() {
        incarnation.beat();
        time.advance(LEASE.heartbeatEvery());
        calls.interfere(new Silence(() -> time.advance(LEASE.heartbeatTimeout())));
        incarnation.beat();
        boolean heldInTime = stop.isHeld() && time.nanos() < LEASE.length().toNanos();
        incarnation.beat();
        boolean stillHeld = stop.isHeld();
        calls.interfere(Interference.none());

        incarnation.beat();

        assertThat(heldInTime).isTrue();
        assertThat(stillHeld).isTrue();
        assertThat(stop).returns(false, StopSignal::isHeld).returns(false, StopSignal::isRequested);
    }

    @Test
    void doubt_holds_the_work_before_the_lease_ends_while_a_heartbeat_waits_for_several_answers() {
        incarnation.beat();
        time.advance(LEASE.heartbeatEvery());
        calls.interfere(Interference.answerLostAt(3));
        incarnation.beat();
        time.advance(LEASE.heartbeatEvery());
        List<Boolean> heldAtTheLeasesEnd = new ArrayList<>();
        time.plan(Duration.ofSeconds(15), () -> heldAtTheLeasesEnd.add(stop.isHeld()));
        calls.interfere(new Interference() {
            @Override
            public void before(Call call) {
                time.advance(LEASE.heartbeatTimeout().minusMillis(1));
            }
        });

        incarnation.beat();

        assertThat(heldAtTheLeasesEnd).containsExactly(true);
    }

    @Test
    void a_fenced_process_abandons_its_work_and_its_heartbeat_is_not_reported_as_acknowledged() {
        fence();

        incarnation.beat();

        assertThat(stop).returns(true, StopSignal::isAbandoned).returns(true, StopSignal::isRequested);
        assertThat(acknowledged).isEmpty();
    }

    @Test
    void a_fenced_process_stays_fenced_after_more_heartbeats() {
        fence();
        incarnation.beat();
        incarnation.beat();

        assertThat(stop.isAbandoned()).isTrue();
        assertThat(stored().value().state()).isEqualTo(ProcessState.FENCED);
    }

    /** A {@link Time} whose pauses end only when the thread is interrupted. */
    private record Still(Time time) implements Time {
        @Override
        public Instant now() {
            return time.now();
        }

        @Override
        public long nanos() {
            return time.nanos();
        }

        @Override
        public void pause(Duration length) {
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private Incarnation still() {
        return new Incarnation(heartbeat, LEASE, new Still(time), stop, nanos -> {});
    }

    @Test
    void its_document_is_live_while_it_works_and_stopped_afterwards() {
        List<ProcessState> whileWorking = new ArrayList<>();

        End end = still().live(() -> whileWorking.add(stored().value().state()), GRACE);

        assertThat(end).isEqualTo(End.STOPPED);
        assertThat(whileWorking).containsExactly(ProcessState.LIVE);
        assertThat(stored().value().state()).isEqualTo(ProcessState.STOPPED);
    }

    @Test
    void its_document_is_stopped_after_work_that_failed() {
        assertThatThrownBy(() -> still().live(
                                () -> {
                                    throw new IllegalStateException("the work failed");
                                },
                                GRACE))
                .hasMessage("the work failed");
        assertThat(stored().value().state()).isEqualTo(ProcessState.STOPPED);
    }

    @Test
    void a_process_that_is_fenced_while_it_works_ends_as_fenced_and_its_document_stays_fenced() {
        fence();

        End end = still().live(
                        () -> {
                            while (!stop.isRequested()
                                    && !Thread.currentThread().isInterrupted()) {
                                Thread.onSpinWait();
                            }
                        },
                        GRACE);

        assertThat(end).isEqualTo(End.FENCED);
        assertThat(stored().value().state()).isEqualTo(ProcessState.FENCED);
    }
}
