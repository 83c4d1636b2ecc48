package org.treerename.janitor.audit;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.treerename.janitor.audit.Audit.Kind;
import org.treerename.journal.Decision;
import org.treerename.journal.Deliveries;
import org.treerename.journal.JournalStep;
import org.treerename.lock.Hold;
import org.treerename.lock.LockMode;
import org.treerename.lock.LockSet;
import org.treerename.lock.Release;
import org.treerename.path.TreePath;
import org.treerename.process.ProcessState;
import org.treerename.worker.World;

class AuditorTest {

    private static final Duration RETENTION = Duration.ofDays(1);

    private final World world = new World().withTree();

    private Auditor auditor() {
        return new Auditor(world.stores(), world.processes, world.time, RETENTION);
    }

    @Test
    void finds_nothing_after_a_rename_has_ended() {
        world.process("worker-1", ProcessState.LIVE);
        world.renamer().run(Deliveries.of(Deliveries.rename("r1", "files", "/a", "/b")));

        assertThat(auditor().audit()).isEmpty();
    }

    @Test
    void reports_the_entry_of_a_dead_rename_and_no_locks_of_a_live_one() {
        world.process("worker-9", ProcessState.LIVE);
        world.heldByAnother("/a", "/c");
        assertThat(auditor().audit()).isEmpty();

        world.process("worker-8", ProcessState.FENCED);
        var found = world.journal.read("other").orElseThrow();
        world.journal.write(JournalStep.TAKE_OVER, found.value().takenOver("worker-8"), found.version());

        assertThat(auditor().audit()).extracting(Audit.Finding::kind).containsExactly(Kind.ENTRY);
    }

    @Test
    void reports_a_hold_that_both_reads_find() {
        world.heldByAnother("/a", "/c");
        delete("other");

        assertThat(auditor().audit()).extracting(Audit.Finding::kind).containsExactly(Kind.HOLD, Kind.HOLD);
    }

    @Test
    void reports_no_hold_that_is_released_between_the_two_reads() {
        world.heldByAnother("/a", "/c");
        delete("other");
        world.time.plan(
                Auditor.SETTLING.dividedBy(2),
                () -> world.locks.release(
                        LockSet.tree("files", new TreePath("/a"), new TreePath("/c")),
                        Release.ofHold("hold-of-other")));

        assertThat(auditor().audit()).isEmpty();
    }

    @Test
    void finds_the_locks_that_a_moving_rename_has_lost() {
        world.process("worker-9", ProcessState.LIVE);
        world.heldByAnother("/a", "/c");
        var prepared = world.journal.read("other").orElseThrow();
        world.journal.write(
                JournalStep.COMMIT,
                prepared.value().committed(new Decision(world.time.now(), "worker-9", Map.of(), List.of()), 1),
                prepared.version());
        assertThat(auditor().audit()).isEmpty();

        world.locks.release(
                LockSet.tree("files", new TreePath("/a"), new TreePath("/c")), Release.ofHold("hold-of-other"));

        assertThat(auditor().audit()).extracting(Audit.Finding::kind).containsExactly(Kind.LOCK, Kind.LOCK);
    }

    @Test
    void finds_a_dead_hold_of_a_request_that_keeps_attempting() {
        world.process("worker-9", ProcessState.LIVE);
        world.heldByAnother("/a", "/c");
        Hold dead = new Hold("dead-1", "worker-9", world.entry("other").age());
        world.locks.take("files", new TreePath("/x"), LockMode.SHARED, dead);
        world.time.plan(Auditor.SETTLING.dividedBy(2), () -> {
            world.locks.release(LockSet.ofWriter("files", List.of(new TreePath("/x"))), Release.ofHold("dead-1"));
            world.locks.take("files", new TreePath("/x"), LockMode.SHARED, new Hold("dead-2", "worker-9", dead.age()));
        });

        assertThat(auditor().audit())
                .singleElement()
                .returns(Kind.HOLD, Audit.Finding::kind)
                .returns("files /x other", Audit.Finding::key);
    }

    private void delete(String requestId) {
        world.journal.delete(List.of(world.journal.read(requestId).orElseThrow()));
    }

    @Test
    void reports_an_ended_process_only_after_the_janitors_had_time_to_delete_it() {
        world.process("worker-1", ProcessState.STOPPED);
        world.time.advance(RETENTION.plusMinutes(59));
        assertThat(auditor().audit()).isEmpty();

        world.time.advance(Duration.ofMinutes(2));
        assertThat(auditor().audit()).extracting(Audit.Finding::kind).containsExactly(Kind.PROCESS);
    }
}
