package org.treerename.janitor.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.treerename.janitor.recovery.Fence.Result;
import org.treerename.process.Heartbeat;
import org.treerename.process.Heartbeat.BeatResult;
import org.treerename.process.InMemoryProcessStore;
import org.treerename.process.ProcessDocument;
import org.treerename.process.ProcessId;
import org.treerename.process.ProcessState;
import org.treerename.process.ProcessStore;
import org.treerename.store.Calls;
import org.treerename.store.InMemoryControlIndex;
import org.treerename.store.Interference;
import org.treerename.store.Versioned;

class FenceTest {

    private static final ProcessId ID = new ProcessId("worker-1");

    private final InMemoryProcessStore processes = new InMemoryProcessStore(new InMemoryControlIndex());
    private final ProcessDocument live =
            ProcessDocument.live(ID, "worker", "host", Duration.ofSeconds(30), Instant.EPOCH, "uuid");

    private Optional<ProcessState> state() {
        return processes.read(ID).map(Versioned::value).map(ProcessDocument::state);
    }

    @Test
    void a_live_process_is_fenced_and_its_next_heartbeat_reports_it() {
        Heartbeat heartbeat = Heartbeat.begin(processes, live);
        heartbeat.beat();

        assertThat(new Fence(processes).fence(ID)).isEqualTo(Result.FENCED);

        assertThat(state()).contains(ProcessState.FENCED);
        assertThat(heartbeat.beat()).isEqualTo(BeatResult.FENCED);
    }

    @Test
    void fences_a_process_although_a_heartbeat_comes_in_between() {
        Heartbeat heartbeat = Heartbeat.begin(processes, live);
        Calls calls = new Calls(Interference.none());
        calls.interfere(Interference.before("processes.write", 1, heartbeat::beat));

        assertThat(new Fence(calls.around(ProcessStore.class, processes)).fence(ID))
                .isEqualTo(Result.FENCED);

        assertThat(processes.read(ID).orElseThrow().value().heartbeat()).isEqualTo(2);
        assertThat(heartbeat.beat()).isEqualTo(BeatResult.FENCED);
    }

    @Test
    void does_not_change_a_process_that_is_fenced_or_has_stopped() {
        Heartbeat heartbeat = Heartbeat.begin(processes, live);
        heartbeat.stop();
        Optional<Versioned<ProcessDocument>> stopped = processes.read(ID);

        assertThat(new Fence(processes).fence(ID)).isEqualTo(Result.STOPPED_BEFORE);
        assertThat(processes.read(ID)).isEqualTo(stopped);

        processes.write(live.in(ProcessState.FENCED), stopped.orElseThrow().version());
        Optional<Versioned<ProcessDocument>> fenced = processes.read(ID);
        assertThat(new Fence(processes).fence(ID)).isEqualTo(Result.FENCED_BEFORE);
        assertThat(processes.read(ID)).isEqualTo(fenced);
    }

    @Test
    void creates_no_document_for_an_unknown_process() {
        assertThat(new Fence(processes).fence(ID)).isEqualTo(Result.UNKNOWN);
        assertThat(state()).isEmpty();
    }
}
