package org.treerename.rename;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.slf4j.MDC;
import org.treerename.lock.Hold;
import org.treerename.metrics.Measured;
import org.treerename.metrics.Meters;
import org.treerename.path.Granularity;
import org.treerename.process.ProcessState;
import org.treerename.rename.RollForward.Result;
import org.treerename.runtime.Backoff;
import org.treerename.store.Interference;
import org.treerename.wire.JsonOutcomeCodec;

/** What renames leave in the metrics and in the log's context. */
class MeasuredRenamesTest {

    private World world = new World().withTree();
    private final Meters meters = new Meters();
    private final Delivery aToB = Deliveries.of(Deliveries.rename("r1", "files", "/a", "/b"));

    private Stores measured() {
        return Measured.of(world.stores(), meters, world.time, new JsonOutcomeCodec()::decode);
    }

    private Renamer renamer() {
        return new Renamer(measured(), new JsonOutcomeCodec(), world.context("worker-1"));
    }

    private void assertShown(String... lines) {
        assertThat(meters.shown().lines()).contains(lines);
    }

    @Test
    void a_rename_counts_once_however_often_it_is_delivered() {
        renamer().run(aToB);
        renamer().run(Deliveries.again(aToB, 1, 7, Deliveries.APPENDED));

        assertShown(
                "tree_rename_renames_total{reason=\"none\",status=\"completed\"} 1.0",
                "tree_rename_documents_total{result=\"moved\"} 5.0",
                "tree_rename_lock_wait_seconds_count 1");
        assertThat(meters.shown()).doesNotContain("tree_rename_lock_refusals_total");
    }

    @Test
    void a_rejection_counts_with_its_reason_whether_or_not_the_tree_was_looked_at() {
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
    void what_others_hold_counts_as_refusals_and_in_the_end_as_a_failure() {
        world.heldByAnother("/a", "/x");

        renamer().run(aToB);

        assertThat(meters.shown())
                .contains("tree_rename_renames_total{reason=\"locked\",status=\"failed\"} 1.0")
                .contains("tree_rename_lock_refusals_total");
    }

    @Test
    void a_document_that_is_not_moved_counts_by_what_became_of_it_and_what_is_parked_each_time() {
        TreeStore refusing = new RefusingTreeStore(
                world.tree, move -> move.document().ref().id().equals("a1"));
        Stores stores = Measured.of(world.stores(refusing), meters, world.time, new JsonOutcomeCodec()::decode);

        new Renamer(stores, new JsonOutcomeCodec(), world.context("worker-1")).run(aToB);
        world.rollForward("janitor-1", stores).ofParked("r1");

        assertShown("tree_rename_documents_total{result=\"refused\"} 2.0", "tree_rename_parkings_total 2.0");
        assertThat(meters.shown()).contains("tree_rename_documents_total{result=\"moved\"}");
    }

    @Test
    void a_document_that_somebody_has_changed_meanwhile_counts_as_unknown() {
        world.calls.interfere(Interference.before("tree.move", 2, () -> world.file("a1", "/a/1")));

        renamer().run(aToB);

        assertShown("tree_rename_documents_total{result=\"unknown\"} 1.0");
    }

    @Test
    void the_wait_for_locks_is_timed_from_the_first_attempt() {
        Hold other = world.heldByAnother("/a", "/x");
        world.otherHoldsAgainAfter(Duration.ofMillis(100), other, "/a", "/x");
        world.time.plan(Duration.ofMillis(200), () -> world.otherEnds("/a", "/x"));

        renamer().run(aToB);

        // reads every 30 ms: the fourth shows that the locks are free, and after the second refusal the third
        assertShown("tree_rename_lock_wait_seconds_sum 0.21", "tree_rename_lock_refusals_total 2.0");
    }

    @Test
    void the_wait_for_the_locks_of_documents_is_timed_once_and_until_the_last_of_them() {
        world = new World(Granularity.DOCUMENT).withTree();
        world.calls.interfere(
                Interference.before("journal.prepare", 3, () -> world.time.pause(Duration.ofMillis(300))));

        renamer().run(aToB);

        assertShown("tree_rename_lock_wait_seconds_sum 0.3", "tree_rename_lock_wait_seconds_count 1");
    }

    @Test
    void a_pause_between_tries_counts() {
        Backoff backoff =
                Measured.of(Backoff.Factory.jittered(world.time), meters).begin("it");

        backoff.pause();
        backoff.pause();

        assertShown("tree_rename_retries_total 2.0");
    }

    @Test
    void a_janitor_counts_what_is_open_and_what_it_takes_over() {
        world.heldByAnother("/a", "/b");
        world.process("worker-9", ProcessState.FENCED);
        Stores stores = measured();
        stores.journal().in(State.needingOwner());
        stores.journal().in(EnumSet.of(State.PARKED));

        Result result = world.rollForward("janitor-1", stores).ofDead("other");

        assertThat(result).isEqualTo(Result.GIVEN_BACK);
        assertShown(
                "tree_rename_open 1.0",
                "tree_rename_parked 0.0",
                "tree_rename_take_overs_total{state=\"prepared\"} 1.0");
        assertThat(MDC.getCopyOfContextMap()).isNullOrEmpty();
    }

    @Test
    void what_a_dead_writer_held_counts_as_taken_over_and_not_as_a_rename() {
        ExternalWriter writer =
                new ExternalWriter("write-1", new WriteTarget("files", List.of("/a")), world.time.now());
        world.journal.create(writer.begun(new JournalEntry.Ownership("writer-1", 1, "h1")));
        world.process("writer-1", ProcessState.STOPPED);
        Stores stores = measured();
        stores.journal().in(State.needingOwner());

        Result result = world.rollForward("janitor-1", stores).ofDead("write-1");

        assertThat(result).isEqualTo(Result.CLOSED);
        assertShown("tree_rename_open 1.0", "tree_rename_take_overs_total{state=\"held\"} 1.0");
        assertThat(meters.shown()).doesNotContain("tree_rename_renames_total");
    }
}
