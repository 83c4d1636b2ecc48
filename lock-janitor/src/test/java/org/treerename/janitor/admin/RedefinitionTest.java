package org.treerename.janitor.admin;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.treerename.journal.Deliveries;
import org.treerename.journal.JournalEntry;
import org.treerename.journal.JournalStep;
import org.treerename.journal.Ownership;
import org.treerename.journal.WriteTarget;
import org.treerename.lock.Hold;
import org.treerename.lock.LockPriority;
import org.treerename.lock.LockSet;
import org.treerename.path.TreePath;
import org.treerename.process.InMemoryProcessStore;
import org.treerename.process.ProcessDocument;
import org.treerename.process.ProcessId;
import org.treerename.process.ProcessState;
import org.treerename.producer.writer.WriteLocks;
import org.treerename.store.Versioned;
import org.treerename.worker.World;

class RedefinitionTest {

    private static final ProcessId WORKER = new ProcessId("worker-1");

    private final World world = new World().withTree();
    private final Redefinition redefinition = new Redefinition(world.processes, world.journal, world.locks);

    @Test
    void allows_a_new_definition_while_no_process_runs_and_all_renames_are_closed() {
        world.renamer().run(Deliveries.of(Deliveries.rename("r1", "files", "/a", "/b")));

        assertThatCode(() -> redefinition.requireQuiet("files")).doesNotThrowAnyException();
    }

    @Test
    void refuses_a_new_definition_while_a_process_runs() {
        world.processes.create(ProcessDocument.live(
                WORKER,
                "worker",
                "host",
                Duration.ofSeconds(30),
                world.time.now(),
                InMemoryProcessStore.CONTROL_INDEX_UUID));
        assertThatThrownBy(() -> redefinition.requireQuiet("files"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("worker-1");

        Versioned<ProcessDocument> live = world.processes.read(WORKER).orElseThrow();
        world.processes.write(live.value().in(ProcessState.STOPPED), live.version());
        assertThatCode(() -> redefinition.requireQuiet("files")).doesNotThrowAnyException();
    }

    @Test
    void refuses_a_new_definition_while_a_rename_of_the_namespace_is_open() {
        world.journal.create(
                JournalStep.ATTEMPT,
                JournalEntry.prepared(
                        Deliveries.of(Deliveries.rename("r1", "files", "/a", "/b")),
                        new Ownership("worker-1", 1, "h1")));

        assertThatThrownBy(() -> redefinition.requireQuiet("files"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("request r1 in state PREPARED");
        assertThatCode(() -> redefinition.requireQuiet("others")).doesNotThrowAnyException();
    }

    @Test
    void refuses_a_new_definition_while_a_writer_holds_locks() {
        new WriteLocks(world.stores(), world.context("writer-1"))
                .take(new WriteTarget("files", List.of("/a")), World.LOCK_WAIT, world.stop);

        assertThatThrownBy(() -> redefinition.requireQuiet("files"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("in state HELD");
        assertThatCode(() -> redefinition.requireQuiet("others")).doesNotThrowAnyException();
    }

    /** With a new definition, the lock table would still contain paths in the notation of the old definition. */
    @Test
    void refuses_a_new_definition_while_a_lock_is_left() {
        world.locks.take(
                LockSet.tree("files", new TreePath("/a"), new TreePath("/b")),
                new Hold("h9", "worker-9", new LockPriority(7, "r9")));

        assertThatThrownBy(() -> redefinition.requireQuiet("files"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("expected no locks in the namespace files, found locks (holds: 1, claims: 0)"
                        + " in the lock table");
        assertThatCode(() -> redefinition.requireQuiet("others")).doesNotThrowAnyException();
    }
}
