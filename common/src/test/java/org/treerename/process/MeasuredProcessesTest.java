package org.treerename.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.treerename.installation.Installation;
import org.treerename.observe.Measured;
import org.treerename.observe.Meters;
import org.treerename.runtime.ManualTime;
import org.treerename.store.InMemoryControlIndex;
import org.treerename.store.Version;
import org.treerename.store.Versioned;

/** Tests which writes of a process document increase the metric of fences. */
class MeasuredProcessesTest {

    private static final ProcessId ID = new ProcessId("worker-1");

    private final ManualTime time = ManualTime.startingAt("2026-03-01T10:00:00Z");
    private final InMemoryProcessStore stored = new InMemoryProcessStore(new InMemoryControlIndex());
    private final Meters meters = new Meters(Installation.DEFAULT);
    private final ProcessStore processes = Measured.of(stored, meters);

    MeasuredProcessesTest() {
        stored.create(ProcessDocument.live(
                ID, "worker", "host", Duration.ofSeconds(30), time.now(), InMemoryProcessStore.CONTROL_INDEX_UUID));
    }

    private void fence() {
        Versioned<ProcessDocument> found = processes.read(ID).orElseThrow();
        processes.write(found.value().in(ProcessState.FENCED), found.version());
    }

    @Test
    void counts_a_fence() {
        fence();

        assertThat(meters.shown()).contains("tree_rename_fences_total 1.0");
    }

    @Test
    void does_not_count_the_check_of_a_fence() {
        fence();

        assertThat(Liveness.hasEnded(processes, ID, time.now())).isTrue();

        assertThat(meters.shown()).contains("tree_rename_fences_total 1.0");
    }

    @Test
    void does_not_count_a_fence_that_conflicts_with_a_heartbeat() {
        Versioned<ProcessDocument> found = processes.read(ID).orElseThrow();
        Version before = found.version();
        stored.write(found.value().nextHeartbeat(0), before);

        processes.write(found.value().in(ProcessState.FENCED), before);

        assertThat(meters.shown()).doesNotContain("tree_rename_fences_total");
    }
}
