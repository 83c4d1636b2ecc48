package org.treerename.janitor.recovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.treerename.process.ForwardingProcessStore;
import org.treerename.process.Heartbeat;
import org.treerename.process.Heartbeat.BeatResult;
import org.treerename.process.InMemoryProcessStore;
import org.treerename.process.Lease;
import org.treerename.process.ProcessDocument;
import org.treerename.process.ProcessId;
import org.treerename.process.ProcessState;
import org.treerename.process.ProcessStore;
import org.treerename.runtime.ManualTime;
import org.treerename.runtime.Time;
import org.treerename.store.Calls;
import org.treerename.store.InMemoryControlIndex;
import org.treerename.store.Interference;
import org.treerename.store.NoAnswerException;
import org.treerename.store.RefusedException;
import org.treerename.store.Versioned;

class DeathWatchTest {

    private static final Duration LEASE = Duration.ofSeconds(30);
    private static final Duration ALMOST_A_LEASE = LEASE.minusNanos(1);
    private static final Duration ONE_NANO = Duration.ofNanos(1);

    private final ManualTime time = ManualTime.startingAt("2026-03-01T10:00:00Z");
    private final InMemoryProcessStore processes = new InMemoryProcessStore(new InMemoryControlIndex());
    private final Calls calls = new Calls(Interference.none());
    private final OwnWrites ownWrites = new OwnWrites();
    private final DeathWatch watch = watch(time);
    private final Heartbeat worker = begun("worker-1", LEASE);

    private DeathWatch watch(Time clock) {
        return new DeathWatch(calls.around(ProcessStore.class, processes), clock, ownWrites, new Lease(LEASE));
    }

    private Heartbeat begun(String id, Duration lease) {
        return Heartbeat.begin(
                processes,
                ProcessDocument.live(
                        new ProcessId(id),
                        "worker",
                        "host",
                        lease,
                        time.now(),
                        InMemoryProcessStore.CONTROL_INDEX_UUID));
    }

    private ProcessDocument document(String id) {
        return processes.read(new ProcessId(id)).map(Versioned::value).orElseThrow();
    }

    private ProcessState state(String id) {
        return document(id).state();
    }

    /** Advances the clock in steps. After each step, the store acknowledges a write of the observer. */
    private void advance(Duration length) {
        ownWrites.acknowledged(time.nanos());
        Duration left = length;
        while (left.isPositive()) {
            Duration step = left.compareTo(Duration.ofSeconds(5)) < 0 ? left : Duration.ofSeconds(5);
            time.advance(step);
            ownWrites.acknowledged(time.nanos());
            left = left.minus(step);
        }
    }

    /** Checks the processes {@code times} times, each time after one second. */
    private void checkEachSecond(int times) {
        for (int i = 0; i < times; i++) {
            advance(Duration.ofSeconds(1));
            watch.poll();
        }
    }

    @Test
    void a_process_is_fenced_when_a_lease_has_passed_without_a_heartbeat_and_not_a_nanosecond_earlier() {
        advance(Duration.ofSeconds(1));
        watch.poll();

        advance(ALMOST_A_LEASE);
        watch.poll();
        ProcessState before = state("worker-1");
        advance(ONE_NANO);
        watch.poll();

        assertThat(before).isEqualTo(ProcessState.LIVE);
        assertThat(document("worker-1")).returns(ProcessState.FENCED, ProcessDocument::state);
        assertThat(worker.beat()).isEqualTo(BeatResult.FENCED);
    }

    @Test
    void a_process_that_was_not_observed_before_is_not_fenced_however_old_it_is() {
        advance(Duration.ofDays(1));

        watch.poll();

        assertThat(state("worker-1")).isEqualTo(ProcessState.LIVE);
    }

    @Test
    void the_time_that_the_first_read_waits_for_its_answer_does_not_count() {
        calls.interfere(Interference.after("processes.read", 1, () -> advance(Duration.ofSeconds(10))));
        watch.poll();

        advance(ALMOST_A_LEASE);
        watch.poll();
        ProcessState before = state("worker-1");
        advance(ONE_NANO);
        watch.poll();

        assertThat(before).isEqualTo(ProcessState.LIVE);
        assertThat(state("worker-1")).isEqualTo(ProcessState.FENCED);
    }

    @Test
    void the_time_that_the_second_read_waits_for_its_answer_does_not_count() {
        advance(ONE_NANO);
        watch.poll();
        advance(ALMOST_A_LEASE);
        calls.interfere(Interference.before("processes.read", 1, () -> advance(Duration.ofSeconds(10))));

        watch.poll();

        assertThat(state("worker-1")).isEqualTo(ProcessState.LIVE);
    }

    @Test
    void a_heartbeat_restarts_the_lease() {
        advance(Duration.ofSeconds(1));
        watch.poll();
        advance(ALMOST_A_LEASE);
        worker.beat();
        advance(ONE_NANO);
        watch.poll();

        advance(ALMOST_A_LEASE);
        watch.poll();
        ProcessState before = state("worker-1");
        advance(ONE_NANO);
        watch.poll();

        assertThat(before).isEqualTo(ProcessState.LIVE);
        assertThat(state("worker-1")).isEqualTo(ProcessState.FENCED);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void a_heartbeat_between_the_last_read_and_the_fence_wins(boolean rightAfterTheRead) {
        advance(Duration.ofSeconds(1));
        watch.poll();
        advance(LEASE);
        calls.interfere(
                rightAfterTheRead
                        ? Interference.after("processes.read", 1, worker::beat)
                        : Interference.before("processes.write", 1, worker::beat));

        watch.poll();

        assertThat(state("worker-1")).isEqualTo(ProcessState.LIVE);
        assertThat(worker.beat()).isEqualTo(BeatResult.ACKNOWLEDGED);
    }

    @Test
    void the_fence_of_a_frozen_observer_loses_to_later_heartbeats() {
        advance(Duration.ofSeconds(1));
        watch.poll();
        advance(LEASE);
        calls.interfere(Interference.before("processes.write", 1, () -> {
            time.advance(Duration.ofHours(1));
            worker.beat();
            worker.beat();
        }));

        watch.poll();

        assertThat(state("worker-1")).isEqualTo(ProcessState.LIVE);
    }

    @Test
    void fences_no_process_while_the_observers_own_writes_fail() {
        advance(Duration.ofSeconds(1));
        watch.poll();

        for (int i = 0; i < 100; i++) {
            time.advance(Duration.ofSeconds(5));
            watch.poll();
        }

        assertThat(state("worker-1")).isEqualTo(ProcessState.LIVE);
    }

    @Test
    void fences_no_process_for_a_silence_during_a_stall_of_the_observers_own_writes() {
        advance(Duration.ofSeconds(1));
        watch.poll();
        advance(Duration.ofSeconds(7));
        time.advance(Duration.ofSeconds(16));
        advance(Duration.ofSeconds(12));

        watch.poll();

        assertThat(state("worker-1")).isEqualTo(ProcessState.LIVE);
    }

    @Test
    void an_observer_that_was_frozen_fences_no_process_when_it_wakes() {
        advance(Duration.ofSeconds(1));
        watch.poll();
        advance(Duration.ofSeconds(1));

        time.advance(Duration.ofMinutes(5));
        watch.poll();
        ownWrites.acknowledged(time.nanos());
        watch.poll();

        assertThat(state("worker-1")).isEqualTo(ProcessState.LIVE);
    }

    @Test
    void fences_a_silent_process_one_lease_after_a_stall_of_the_observers_writes() {
        advance(Duration.ofSeconds(1));
        watch.poll();
        time.advance(Duration.ofSeconds(20));

        checkEachSecond(29);
        ProcessState soon = state("worker-1");
        checkEachSecond(3);

        assertThat(soon).isEqualTo(ProcessState.LIVE);
        assertThat(state("worker-1")).isEqualTo(ProcessState.FENCED);
    }

    @Test
    void fences_a_process_that_was_observed_before_the_observers_first_heartbeat() {
        watch.poll();
        time.advance(ONE_NANO);

        checkEachSecond(32);

        assertThat(state("worker-1")).isEqualTo(ProcessState.FENCED);
    }

    @Test
    void a_lease_that_is_longer_than_the_observers_is_respected() {
        begun("worker-2", Duration.ofSeconds(90));
        advance(Duration.ofSeconds(1));
        watch.poll();

        advance(Duration.ofSeconds(90).minusNanos(1));
        watch.poll();
        ProcessState before = state("worker-2");
        advance(ONE_NANO);
        watch.poll();

        assertThat(before).isEqualTo(ProcessState.LIVE);
        assertThat(state("worker-2")).isEqualTo(ProcessState.FENCED);
    }

    @Test
    void fences_a_process_whose_lease_is_longer_than_ten_minutes() {
        begun("worker-2", Duration.ofMinutes(11));
        advance(Duration.ofSeconds(1));
        watch.poll();

        checkEachSecond(11 * 60 + 2);

        assertThat(state("worker-2")).isEqualTo(ProcessState.FENCED);
    }

    @Test
    void a_process_with_a_shorter_lease_is_fenced_after_the_observers_lease() {
        begun("worker-2", Duration.ofSeconds(1));
        advance(Duration.ofSeconds(1));
        watch.poll();

        advance(ALMOST_A_LEASE);
        watch.poll();
        ProcessState before = state("worker-2");
        advance(ONE_NANO);
        watch.poll();

        assertThat(before).isEqualTo(ProcessState.LIVE);
        assertThat(state("worker-2")).isEqualTo(ProcessState.FENCED);
    }

    @Test
    void a_read_without_an_answer_restarts_the_watch() {
        advance(Duration.ofSeconds(1));
        watch.poll();
        advance(Duration.ofSeconds(20));
        calls.interfere(Interference.randomly(1, 1));
        assertThat(catchThrowable(watch::poll)).isNotNull();
        calls.interfere(new LostRead());
        watch.poll();
        calls.interfere(Interference.none());
        advance(Duration.ofSeconds(10));
        watch.poll();

        advance(ALMOST_A_LEASE);
        watch.poll();
        ProcessState before = state("worker-1");
        advance(ONE_NANO);
        watch.poll();

        assertThat(before).isEqualTo(ProcessState.LIVE);
        assertThat(state("worker-1")).isEqualTo(ProcessState.FENCED);
    }

    /** An interference: each read of a single process document gets no answer. */
    private static final class LostRead implements Interference {
        @Override
        public void before(Call call) {
            if (call.name().equals("processes.read")) {
                throw new NoAnswerException("lost", null);
            }
        }
    }

    @Test
    void measures_the_leases_again_after_a_read_without_an_answer() {
        begun("worker-2", LEASE);
        advance(Duration.ofSeconds(1));
        watch.poll();
        advance(LEASE);
        calls.interfere(Interference.before("processes.read", 1, () -> {
            throw new NoAnswerException("lost", null);
        }));

        watch.poll();
        watch.poll();
        List<ProcessState> before = List.of(state("worker-1"), state("worker-2"));
        advance(LEASE);
        watch.poll();

        assertThat(before).containsExactly(ProcessState.LIVE, ProcessState.LIVE);
        assertThat(List.of(state("worker-1"), state("worker-2")))
                .containsExactly(ProcessState.FENCED, ProcessState.FENCED);
    }

    @Test
    void fences_the_other_processes_if_the_document_of_one_cannot_be_read() {
        begun("worker-2", LEASE);
        DeathWatch refusingWatch =
                new DeathWatch(new Refusing(processes, new ProcessId("worker-1")), time, ownWrites, new Lease(LEASE));
        advance(Duration.ofSeconds(1));
        refusingWatch.poll();
        advance(LEASE);

        refusingWatch.poll();

        assertThat(state("worker-2")).isEqualTo(ProcessState.FENCED);
    }

    /** A store that refuses one document, because a process with a later protocol has written it. */
    private record Refusing(ProcessStore processes, ProcessId later) implements ForwardingProcessStore {
        @Override
        public Optional<Versioned<ProcessDocument>> read(ProcessId id) {
            if (id.equals(later)) {
                throw new RefusedException(
                        "a process was written under protocol 2, but this process knows only protocol 1");
            }
            return processes.read(id);
        }

        @Override
        public List<Versioned<ProcessDocument>> read(Collection<ProcessId> ids) {
            return ids.stream().flatMap(id -> read(id).stream()).toList();
        }
    }

    @Test
    void a_process_that_was_silent_before_its_fence_has_stopped_writing() {
        ProcessId silent = new ProcessId("worker-1");
        Heartbeat beating = begun("worker-2", LEASE);
        watch.poll();
        advance(LEASE);
        var acknowledged = beating.beat();
        watch.poll();
        new Fence(processes).fence(beating.processId());

        assertThat(acknowledged).isEqualTo(BeatResult.ACKNOWLEDGED);
        assertThat(watch.fenced().hasStoppedWriting(silent, Optional.of(document("worker-1"))))
                .isTrue();
        assertThat(watch.fenced().hasStoppedWriting(beating.processId(), Optional.of(document("worker-2"))))
                .isFalse();
        time.advance(LEASE);
        assertThat(watch.fenced().hasStoppedWriting(beating.processId(), Optional.of(document("worker-2"))))
                .isTrue();
    }

    @Test
    void a_fenced_process_is_observed_for_its_own_lease_if_that_is_longer() {
        Heartbeat slow = begun("worker-2", LEASE.multipliedBy(2));
        new Fence(processes).fence(slow.processId());
        Optional<ProcessDocument> fenced = Optional.of(document("worker-2"));

        assertThat(watch.fenced().hasStoppedWriting(slow.processId(), fenced)).isFalse();
        time.advance(LEASE);
        assertThat(watch.fenced().hasStoppedWriting(slow.processId(), fenced)).isFalse();
        time.advance(LEASE);
        assertThat(watch.fenced().hasStoppedWriting(slow.processId(), fenced)).isTrue();
    }

    @Test
    void only_one_of_two_observers_fences_a_process() {
        DeathWatch other = new DeathWatch(processes, time, ownWrites, new Lease(LEASE));
        advance(Duration.ofSeconds(1));
        watch.poll();
        other.poll();
        advance(LEASE);
        calls.interfere(Interference.before("processes.write", 1, other::poll));

        watch.poll();
        watch.poll();
        other.poll();

        assertThat(document("worker-1"))
                .returns(ProcessState.FENCED, ProcessDocument::state)
                .returns(1L, ProcessDocument::heartbeat);
    }

    @Test
    void a_fence_whose_answer_is_lost_is_written_once() {
        advance(Duration.ofSeconds(1));
        watch.poll();
        advance(LEASE);
        calls.interfere(Interference.answerLostAt(1));

        checkEachSecond(40);

        assertThat(document("worker-1"))
                .returns(ProcessState.FENCED, ProcessDocument::state)
                .returns(1L, ProcessDocument::heartbeat);
    }

    @Test
    void a_fence_that_does_not_arrive_is_retried_after_another_lease() {
        advance(Duration.ofSeconds(1));
        watch.poll();
        advance(LEASE);
        calls.interfere(Interference.notArrivedAt(1));
        watch.poll();
        ProcessState lost = state("worker-1");

        checkEachSecond(32);

        assertThat(lost).isEqualTo(ProcessState.LIVE);
        assertThat(state("worker-1")).isEqualTo(ProcessState.FENCED);
    }

    @Test
    void a_process_that_has_stopped_stays_stopped() {
        advance(Duration.ofSeconds(1));
        watch.poll();
        worker.stop();

        checkEachSecond(70);

        assertThat(state("worker-1")).isEqualTo(ProcessState.STOPPED);
    }

    @Test
    void a_process_that_stops_before_the_last_read_of_a_watch_is_not_fenced() {
        advance(Duration.ofSeconds(1));
        watch.poll();
        advance(LEASE);
        calls.interfere(Interference.before("processes.read", 1, worker::stop));

        watch.poll();

        assertThat(state("worker-1")).isEqualTo(ProcessState.STOPPED);
    }

    @Test
    void a_wall_clock_that_is_an_hour_ahead_changes_nothing() {
        DeathWatch watchWithSkewedClock = watch(new Skewed(time));
        advance(Duration.ofSeconds(1));
        watchWithSkewedClock.poll();

        advance(ALMOST_A_LEASE);
        watchWithSkewedClock.poll();
        ProcessState before = state("worker-1");
        advance(ONE_NANO);
        watchWithSkewedClock.poll();

        assertThat(before).isEqualTo(ProcessState.LIVE);
        assertThat(state("worker-1")).isEqualTo(ProcessState.FENCED);
    }

    /** The time of a process whose wall clock is an hour ahead. Its monotonic clock is correct. */
    private record Skewed(Time time) implements Time {
        @Override
        public Instant now() {
            return time.now().plus(Duration.ofHours(1));
        }

        @Override
        public long nanos() {
            return time.nanos();
        }

        @Override
        public void pause(Duration length) {
            time.pause(length);
        }
    }

    @Test
    void a_process_that_sends_its_heartbeats_is_never_fenced() {
        advance(Duration.ofSeconds(1));

        for (int i = 0; i < 500; i++) {
            advance(LEASE.dividedBy(4));
            worker.beat();
            watch.poll();
        }

        assertThat(state("worker-1")).isEqualTo(ProcessState.LIVE);
    }
}
