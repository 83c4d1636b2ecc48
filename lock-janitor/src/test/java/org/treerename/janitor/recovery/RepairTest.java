package org.treerename.janitor.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.treerename.janitor.audit.Audit.Finding;
import org.treerename.janitor.audit.Audit.Kind;
import org.treerename.janitor.audit.Auditor;
import org.treerename.janitor.audit.TreeAudit;
import org.treerename.journal.Deliveries;
import org.treerename.journal.JournalEntry;
import org.treerename.lock.Hold;
import org.treerename.lock.LockMode;
import org.treerename.lock.LockPriority;
import org.treerename.path.TreePath;
import org.treerename.process.ProcessState;
import org.treerename.store.Death;
import org.treerename.tree.InMemoryTreeSurvey;

class RepairTest {

    private static final Duration RETENTION = Duration.ofDays(1);
    private static final TreePath Z = new TreePath("/z");

    private final World world = new World().withTree();

    private List<Finding> audit() {
        return new Auditor(world.stores(), world.processes, world.time, RETENTION)
                .withTrees(new TreeAudit(new InMemoryTreeSurvey(world.tree, 100), world.journal, List.of(World.FILES)))
                .audit();
    }

    private void mend(List<Finding> findings) {
        new Repair(
                        world.journal,
                        world.rollForward("admin-1"),
                        world.sweep("admin-1"),
                        new ProcessCleanup(world.journal, world.processes, world.time, RETENTION))
                .mend(findings);
    }

    private void mend() {
        mend(audit());
    }

    @Test
    void rolls_a_decided_rename_forward() {
        world.process("worker-1", ProcessState.FENCED);
        world.calls.interfere(Death.after("tree.move", 1));
        Death.of(() -> world.renamer().run(Deliveries.of(Deliveries.rename("r1", "files", "/a", "/b"))));
        assertThat(audit()).extracting(Finding::kind).containsExactly(Kind.ENTRY);

        mend();

        assertThat(audit()).isEmpty();
        assertThat(world.paths()).isEqualTo(World.treeAt("/b"));
        assertThat(world.outcome("r1").rolledForward()).isTrue();
        world.assertQuiet();
    }

    @Test
    void removes_dead_holds_and_documents_of_ended_processes() {
        world.heldByAnother("/a", "/c");
        world.locks.take("files", Z, LockMode.EXCLUSIVE, new Hold("late", "worker-8", new LockPriority(1, "gone")));
        world.process("worker-1", ProcessState.STOPPED);
        world.time.advance(RETENTION.plusHours(2));
        assertThat(audit()).extracting(Finding::kind).containsExactly(Kind.HOLD, Kind.ENTRY, Kind.PROCESS);

        mend();

        assertThat(audit()).isEmpty();
        assertThat(world.locks.tables()).isEmpty();
    }

    @ParameterizedTest(name = "{0}")
    @EnumSource(Kind.class)
    void keeps_the_locks_of_a_live_rename_for_every_kind_of_finding(Kind kind) {
        world.process("worker-9", ProcessState.LIVE);
        world.heldByAnother("/a", "/c");
        var locks = world.locks.tables();
        JournalEntry entry = world.entry("other");

        mend(List.of(new Finding(kind, "something")));

        assertThat(world.locks.tables()).isEqualTo(locks);
        assertThat(world.entry("other")).isEqualTo(entry);
    }

    @Test
    void changes_no_document_of_the_tree() {
        world.file("again", "/a/1");
        List<Finding> found = audit();
        var paths = world.paths();

        mend(found);

        assertThat(audit()).isEqualTo(found);
        assertThat(found).extracting(Finding::kind).containsExactly(Kind.DOUBLED_PATH);
        assertThat(world.paths()).isEqualTo(paths);
    }

    @Test
    void has_a_reason_for_each_kind_of_finding_that_it_does_not_repair() {
        assertThat(Arrays.stream(Kind.values()).map(Repair::why)).doesNotContain("");
    }
}
