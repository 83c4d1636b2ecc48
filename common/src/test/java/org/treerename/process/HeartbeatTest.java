package org.treerename.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.treerename.process.Heartbeat.BeatResult;
import org.treerename.store.Calls;
import org.treerename.store.InMemoryControlIndex;
import org.treerename.store.Interference;
import org.treerename.store.NoAnswerException;
import org.treerename.store.Version;
import org.treerename.store.Versioned;
import org.treerename.store.WriteResult;

class HeartbeatTest {

    private final InMemoryProcessStore processes = new InMemoryProcessStore(new InMemoryControlIndex());
    private final Calls calls = new Calls(Interference.none());
    private final ProcessDocument live = ProcessDocument.live(
            new ProcessId("worker-1"),
            "worker",
            "host",
            Duration.ofSeconds(30),
            Instant.parse("2026-03-01T10:00:00Z"),
            InMemoryProcessStore.CONTROL_INDEX_UUID);

    private Heartbeat begun() {
        return Heartbeat.begin(calls.around(ProcessStore.class, processes), live);
    }

    private Versioned<ProcessDocument> stored() {
        return processes.read(live.id()).orElseThrow();
    }

    private void fence() {
        processes.write(stored().value().in(ProcessState.FENCED), stored().version());
    }

    @Test
    void creates_a_document_and_increments_its_counter() {
        Heartbeat heartbeat = begun();
        ProcessDocument first = stored().value();

        assertThat(heartbeat.beat()).isEqualTo(BeatResult.ACKNOWLEDGED);
        assertThat(heartbeat.beat()).isEqualTo(BeatResult.ACKNOWLEDGED);

        assertThat(first).isEqualTo(live);
        assertThat(stored().value()).isEqualTo(live.nextHeartbeat(0).nextHeartbeat(0));
    }

    @Test
    void a_heartbeat_that_did_not_arrive_is_unanswered_and_the_next_one_is_acknowledged() {
        Heartbeat heartbeat = begun();
        calls.interfere(Interference.notArrivedAt(2));

        assertThat(heartbeat.beat()).isEqualTo(BeatResult.UNANSWERED);
        assertThat(heartbeat.beat()).isEqualTo(BeatResult.ACKNOWLEDGED);
        assertThat(stored().value()).isEqualTo(live.nextHeartbeat(0));
    }

    @Test
    void a_heartbeat_whose_answer_was_lost_does_not_count_as_a_fence() {
        Heartbeat heartbeat = begun();
        calls.interfere(Interference.answerLostAt(2));
        BeatResult lost = heartbeat.beat();
        long seqNo = stored().version().seqNo();

        assertThat(lost).isEqualTo(BeatResult.UNANSWERED);
        assertThat(heartbeat.beat()).isEqualTo(BeatResult.ACKNOWLEDGED);
        assertThat(heartbeat.beat()).isEqualTo(BeatResult.ACKNOWLEDGED);
        assertThat(stored().version().seqNo()).isGreaterThan(seqNo);
    }

    @Test
    void reports_a_fence_to_each_later_heartbeat_and_to_the_stop() {
        Heartbeat heartbeat = begun();
        fence();

        assertThat(heartbeat.beat()).isEqualTo(BeatResult.FENCED);
        assertThat(heartbeat.beat()).isEqualTo(BeatResult.FENCED);
        assertThat(heartbeat.stop()).isEqualTo(BeatResult.FENCED);
        assertThat(stored().value().state()).isEqualTo(ProcessState.FENCED);
    }

    @Test
    void ignores_a_fence_that_only_a_cut_off_node_has_stored() {
        StaleProcessStore stale = new StaleProcessStore(processes);
        Heartbeat heartbeat = Heartbeat.begin(calls.around(ProcessStore.class, stale), live);
        calls.interfere(Interference.answerLostAt(2));
        heartbeat.beat();
        Version neverAcknowledged = new Version(stored().version().seqNo() + 1, 1);
        stale.willShow(Optional.of(new Versioned<>(live.in(ProcessState.FENCED), neverAcknowledged)));

        assertThat(heartbeat.beat()).isEqualTo(BeatResult.UNANSWERED);
        assertThat(heartbeat.beat()).isEqualTo(BeatResult.ACKNOWLEDGED);
        assertThat(stored().value().state()).isEqualTo(ProcessState.LIVE);
    }

    @Test
    void ignores_that_a_cut_off_node_does_not_have_the_document_yet() {
        StaleProcessStore stale = new StaleProcessStore(processes);
        Heartbeat heartbeat = Heartbeat.begin(calls.around(ProcessStore.class, stale), live);
        calls.interfere(Interference.answerLostAt(2));
        heartbeat.beat();
        stale.willShow(Optional.empty());

        assertThat(heartbeat.beat()).isEqualTo(BeatResult.UNANSWERED);
        assertThat(heartbeat.beat()).isEqualTo(BeatResult.ACKNOWLEDGED);
        assertThat(stored().value().state()).isEqualTo(ProcessState.LIVE);
    }

    @Test
    void reports_a_fence_after_a_lost_answer() {
        Heartbeat heartbeat = begun();
        calls.interfere(Interference.answerLostAt(2));
        heartbeat.beat();
        fence();

        assertThat(heartbeat.beat()).isEqualTo(BeatResult.FENCED);
    }

    @Test
    void the_next_heartbeat_reports_a_fence_between_the_read_and_the_second_write() {
        Heartbeat heartbeat = begun();
        calls.interfere(Interference.answerLostAt(2));
        heartbeat.beat();
        calls.interfere(Interference.after("processes.read", 1, this::fence));

        assertThat(heartbeat.beat()).isEqualTo(BeatResult.UNANSWERED);
        assertThat(heartbeat.beat()).isEqualTo(BeatResult.FENCED);
    }

    @Test
    void the_last_heartbeat_stores_that_the_process_stopped() {
        Heartbeat heartbeat = begun();

        assertThat(heartbeat.stop()).isEqualTo(BeatResult.ACKNOWLEDGED);
        assertThat(stored().value()).isEqualTo(live.in(ProcessState.STOPPED));
    }

    @Test
    void a_stop_whose_answer_was_lost_does_not_count_as_a_fence() {
        Heartbeat heartbeat = begun();
        calls.interfere(Interference.answerLostAt(2));
        BeatResult lost = heartbeat.stop();

        assertThat(lost).isEqualTo(BeatResult.UNANSWERED);
        assertThat(heartbeat.stop()).isEqualTo(BeatResult.ACKNOWLEDGED);
        assertThat(stored().value().state()).isEqualTo(ProcessState.STOPPED);
    }

    @Test
    void a_process_without_its_document_is_fenced() {
        Heartbeat heartbeat = Heartbeat.begin(
                calls.around(ProcessStore.class, processes),
                ProcessDocument.live(
                        new ProcessId("worker-2"), "worker", "host", Duration.ofSeconds(30), live.startedAt(), "uuid"));
        InMemoryProcessStore lost = new InMemoryProcessStore(new InMemoryControlIndex());
        Heartbeat onAnotherIndex = Heartbeat.begin(new Redirected(processes, lost), live);

        assertThat(heartbeat.beat()).isEqualTo(BeatResult.ACKNOWLEDGED);
        assertThat(onAnotherIndex.beat()).isEqualTo(BeatResult.FENCED);
    }

    /**
     * Simulates a control index that is created again after the start of a process. Live process documents are created
     * in {@code before}. All other calls use {@code processes}.
     */
    private record Redirected(ProcessStore before, ProcessStore processes) implements ForwardingProcessStore {
        @Override
        public WriteResult create(ProcessDocument document) {
            return (document.state() == ProcessState.LIVE ? before : processes).create(document);
        }
    }

    @Test
    void refuses_a_process_id_that_another_process_has_used() {
        begun().beat();

        assertThatThrownBy(this::begun).hasMessageContaining("worker-1");
    }

    @Test
    void a_start_without_an_answer_can_be_repeated() {
        calls.interfere(Interference.answerLostAt(1));

        assertThatThrownBy(this::begun).isInstanceOf(NoAnswerException.class);
        assertThat(begun().beat()).isEqualTo(BeatResult.ACKNOWLEDGED);
    }

    @Test
    void a_start_that_a_cut_off_node_does_not_have_can_be_repeated() {
        StaleProcessStore stale = new StaleProcessStore(processes);
        calls.interfere(Interference.answerLostAt(1));
        assertThatThrownBy(this::begun).isInstanceOf(NoAnswerException.class);
        stale.willShow(Optional.empty());

        assertThatThrownBy(() -> Heartbeat.begin(stale, live)).isInstanceOf(NoAnswerException.class);
        assertThat(Heartbeat.begin(stale, live).beat()).isEqualTo(BeatResult.ACKNOWLEDGED);
    }

    @Test
    void a_lease_leaves_room_for_several_heartbeats() {
        Lease lease = new Lease(Duration.ofSeconds(30));

        assertThat(lease.heartbeatEvery().multipliedBy(3)).isLessThan(lease.length());
        assertThat(lease.heartbeatTimeout().multipliedBy(3)).isLessThanOrEqualTo(lease.length());
        assertThatThrownBy(() -> new Lease(Duration.ofMillis(499))).hasMessageContaining("499ms");
    }
}
