package org.treerename.janitor.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.treerename.process.ProcessId;
import org.treerename.process.ProcessState;

class ProcessCleanupTest {

    private static final Duration LENGTH = Duration.ofDays(1);

    private final World world = new World().withTree();
    private final ProcessCleanup retention = new ProcessCleanup(world.journal, world.processes, world.time, LENGTH);

    private boolean isThere(String processId) {
        return world.processes.read(new ProcessId(processId)).isPresent();
    }

    @Test
    void deletes_only_old_documents_of_ended_processes() {
        world.process("stopped", ProcessState.STOPPED);
        world.process("fenced", ProcessState.FENCED);
        world.process("live", ProcessState.LIVE);
        world.time.advance(LENGTH);
        assertThat(retention.deleteOldProcesses()).isZero();

        world.time.advance(Duration.ofMillis(1));
        world.process("young", ProcessState.STOPPED);

        assertThat(retention.deleteOldProcesses()).isEqualTo(2);
        assertThat(isThere("stopped")).isFalse();
        assertThat(isThere("fenced")).isFalse();
        assertThat(isThere("live")).isTrue();
        assertThat(isThere("young")).isTrue();
    }

    @Test
    void keeps_the_document_of_a_process_that_owns_an_unfinished_rename() {
        world.process("worker-9", ProcessState.FENCED);
        world.heldByAnother("/a", "/c");
        world.time.advance(LENGTH.plusMillis(1));
        assertThat(retention.deleteOldProcesses()).isZero();

        world.otherEnds("/a", "/c");

        assertThat(retention.deleteOldProcesses()).isEqualTo(1);
    }
}
