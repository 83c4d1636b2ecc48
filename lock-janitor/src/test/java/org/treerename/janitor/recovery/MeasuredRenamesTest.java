package org.treerename.janitor.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.slf4j.MDC;
import org.treerename.installation.Installation;
import org.treerename.janitor.recovery.RollForward.Result;
import org.treerename.journal.Deliveries;
import org.treerename.journal.Delivery;
import org.treerename.journal.ExternalWriter;
import org.treerename.journal.JournalStep;
import org.treerename.journal.Ownership;
import org.treerename.journal.WriteTarget;
import org.treerename.lock.Hold;
import org.treerename.namespace.Granularity;
import org.treerename.observe.Measured;
import org.treerename.observe.Meters;
import org.treerename.process.ProcessState;
import org.treerename.rename.Renamer;
import org.treerename.rename.Stores;
import org.treerename.runtime.Backoff;
import org.treerename.store.Interference;
import org.treerename.tree.RefusingTreeStore;
import org.treerename.tree.TreeStore;

/** Tests the metrics and the logging context of renames. */
class MeasuredRenamesTest {

    private World world = new World().withTree();
    private final Meters meters = new Meters(Installation.DEFAULT);
    private final Delivery aToB = Deliveries.of(Deliveries.rename("r1", "files", "/a", "/b"));

    private Stores measured() {
        return Measured.of(world.stores(), meters, world.time);
    }

    private Renamer renamer() {
        return new Renamer(measured(), world.context("worker-1"));
    }

    private void assertShown(String... lines) {
        assertThat(meters.shown().lines()).contains(lines);
    }

    @Test
    void counts_a_rename_once_although_it_is_delivered_twice() {
        renamer().run(aToB);
        renamer().run(Deliveries.again(aToB, 1, 7, Deliveries.APPENDED));

        assertShown(
                "tree_rename_renames_total{reason=\"none\",status=\"completed\"} 1.0",
                "tree_rename_documents_total{result=\"moved\"} 5.0",
                "tree_rename_lock_wait_seconds_count 1");
        assertThat(meters.shown()).doesNotContain("tree_rename_lock_refusals_total");
    }

    @Test
    void counts_a_rejection_by_its_reason_with_and_without_a_read_of_the_tree() {
        renamer().run(Deliveries.of(Deliveries.rename("r1", "files", "/none", "/b")));
        renamer().run(Deliveries.of(Deliveries.rename("r2", "nowhere", "/a", "/b")));
        renamer()
                .run(Deliveries.again(
                        Deliveries.of(Deliveries.rename("r2", "nowhere", "/a", "/b")), 1, 7, Deliveries.APPENDED));

        assertShown(
                "tree_rename_renames_total{reason=\"source_not_found\",status=\"rejected\"} 1.0",
                "tree_rename_renames_total{reason=\"unknown_namespace\",status=\"rejected\"} 1.0");
    }

    @Test
    void counts_lock_refusals_and_the_final_failure() {
        world.heldByAnother("/a", "/x");

        renamer().run(aToB);

        assertThat(meters.shown())
                .contains("tree_rename_renames_total{reason=\"locked\",status=\"failed\"} 1.0")
                .contains("tree_rename_lock_refusals_total");
    }

    @Test
    void counts_refused_documents_and_each_parking() {
        TreeStore refusing = new RefusingTreeStore(
                world.tree, move -> move.document().ref().id().equals("a1"));
        Stores stores = Measured.of(world.stores(refusing), meters, world.time);

        new Renamer(stores, world.context("worker-1")).run(aToB);
        world.rollForward("janitor-1", stores).ofParked("r1");

        assertShown("tree_rename_documents_total{result=\"refused\"} 2.0", "tree_rename_parkings_total 2.0");
        assertThat(meters.shown()).contains("tree_rename_documents_total{result=\"moved\"}");
    }

    @Test
    void counts_a_document_that_was_changed_before_its_move_as_unknown() {
        world.calls.interfere(Interference.before("tree.move", 2, () -> world.file("a1", "/a/1")));

        renamer().run(aToB);

        assertShown("tree_rename_documents_total{result=\"unknown\"} 1.0");
    }

    @Test
    void times_the_wait_for_locks_from_the_first_attempt() {
        Hold other = world.heldByAnother("/a", "/x");
        world.otherHoldsAgainAfter(Duration.ofMillis(100), other, "/a", "/x");
        world.time.plan(Duration.ofMillis(200), () -> world.otherEnds("/a", "/x"));

        renamer().run(aToB);

        // the rename reads the locks every 30 ms: four times after the first refusal, and three times after the second
        // refusal
        assertShown("tree_rename_lock_wait_seconds_sum 0.21", "tree_rename_lock_refusals_total 2.0");
    }

    @Test
    void times_the_wait_for_document_locks_once_and_until_the_last_lock() {
        world = new World(Granularity.DOCUMENT).withTree();
        world.calls.interfere(
                Interference.before("journal.prepare", 3, () -> world.time.pause(Duration.ofMillis(300))));

        renamer().run(aToB);

        assertShown("tree_rename_lock_wait_seconds_sum 0.3", "tree_rename_lock_wait_seconds_count 1");
    }

    @Test
    void counts_the_pauses_between_retries() {
        Backoff backoff =
                Measured.of(Backoff.Factory.jittered(world.time), meters).begin("it");

        backoff.pause();
        backoff.pause();

        assertShown("tree_rename_retries_total 2.0");
    }

    @Test
    void counts_take_overs_of_a_janitor() {
        world.heldByAnother("/a", "/b");
        world.process("worker-9", ProcessState.FENCED);

        Result result = world.rollForward("janitor-1", measured()).ofDead("other");

        assertThat(result).isEqualTo(Result.RELEASED);
        assertShown("tree_rename_take_overs_total{state=\"prepared\"} 1.0");
        assertThat(MDC.getCopyOfContextMap()).isNullOrEmpty();
    }

    @Test
    void counts_the_locks_of_a_dead_writer_as_a_take_over_and_not_as_a_rename() {
        ExternalWriter writer =
                new ExternalWriter("write-1", new WriteTarget("files", List.of("/a")), world.time.now());
        world.journal.create(JournalStep.ATTEMPT, writer.begun(new Ownership("writer-1", 1, "h1")));
        world.process("writer-1", ProcessState.STOPPED);

        Result result = world.rollForward("janitor-1", measured()).ofDead("write-1");

        assertThat(result).isEqualTo(Result.CLOSED);
        assertShown("tree_rename_take_overs_total{state=\"held\"} 1.0");
        assertThat(meters.shown()).doesNotContain("tree_rename_renames_total");
    }
}
