package org.treerename.producer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.treerename.journal.Decision;
import org.treerename.journal.Deliveries;
import org.treerename.journal.Ending;
import org.treerename.journal.ExternalWriter;
import org.treerename.journal.JournalEntry;
import org.treerename.journal.JournalStep;
import org.treerename.journal.Ownership;
import org.treerename.journal.Parking;
import org.treerename.journal.State;
import org.treerename.journal.TestEntry;
import org.treerename.journal.WriteTarget;
import org.treerename.path.TreePath;
import org.treerename.producer.cli.UndoRequest.NotReversible;
import org.treerename.producer.cli.UndoRequest.Possible;
import org.treerename.producer.cli.UndoRequest.Why;
import org.treerename.request.OnExisting;
import org.treerename.request.Outcome;
import org.treerename.request.ParsedRequest.RenameRequest;
import org.treerename.request.Reason;
import org.treerename.request.Status;
import org.treerename.store.Versioned;
import org.treerename.tree.TreeStore;
import org.treerename.worker.World;

class UndoRequestTest {

    private final World world = new World().withTree();

    private UndoRequest of(String requestId) {
        return UndoRequest.of(
                world.entry(requestId), id -> world.journal.read(id).map(Versioned::value));
    }

    private void run(RenameRequest request) {
        world.renamer().run(Deliveries.of(request));
    }

    private void assertNotReversible(String requestId, Why why) {
        assertThat(of(requestId))
                .isInstanceOfSatisfying(
                        NotReversible.class, no -> assertThat(no.why()).isEqualTo(why));
    }

    @Test
    void undoes_a_rename_by_a_rename_from_its_destination_to_its_source() {
        run(Deliveries.rename("r1", "files", "/a", "/b"));

        assertThat(of("r1"))
                .isEqualTo(new Possible(new RenameRequest("undo-r1", "files", "/b", "/a", OnExisting.FAIL, "undo of r1")
                        .withSourceId("a")));
        run(((Possible) of("r1")).request());
        assertThat(world.paths()).isEqualTo(World.treeAt("/a"));
    }

    @Test
    void an_undo_of_an_undo_repeats_the_rename() {
        run(Deliveries.rename("r1", "files", "/a", "/b"));
        run(((Possible) of("r1")).request());
        run(((Possible) of("undo-r1")).request());

        assertThat(world.paths()).isEqualTo(World.treeAt("/b"));
        assertThat(world.entry("undo-undo-r1").state()).isEqualTo(State.CLOSED);
    }

    @Test
    void repeats_an_undo_without_an_effect_under_another_id() {
        run(Deliveries.rename("r1", "files", "/a", "/b"));
        world.directory("taken", "/a");
        run(((Possible) of("r1")).request());
        world.tree.remove(List.of(new TreeStore.Removal(world.tree
                .scan(World.FILES, new TreePath("/a"), TreeStore.Reach.AT)
                .nextPage()
                .getFirst()
                .ref())));

        RenameRequest second = ((Possible) of("r1")).request();
        run(second);

        assertThat(world.outcome("undo-r1").reason()).isEqualTo(Reason.DESTINATION_EXISTS);
        assertThat(second.requestId()).isEqualTo("undo-r1~2");
        assertThat(world.outcome("undo-r1~2").status()).isEqualTo(Status.COMPLETED);
        assertThat(world.paths()).isEqualTo(World.treeAt("/a"));
        assertThat(((Possible) of("r1")).request())
                .as("the undo that has had an effect")
                .isEqualTo(second);
    }

    @Test
    void skips_an_id_that_belongs_to_another_request() {
        run(Deliveries.rename("undo-r1", "other", "/x", "/y"));
        world.journal.create(
                JournalStep.ATTEMPT,
                JournalEntry.held(
                        new ExternalWriter("undo-r1~2", new WriteTarget("files", List.of("/z")), world.time.now()),
                        new Ownership("writer-1", 1, "h")));
        run(Deliveries.rename("r1", "files", "/a", "/b"));

        RenameRequest undo = ((Possible) of("r1")).request();
        run(undo);

        assertThat(undo.requestId()).isEqualTo("undo-r1~3");
        assertThat(world.paths()).isEqualTo(World.treeAt("/a"));
        assertThat(((Possible) of("r1")).request()).as("the undo is sent again").isEqualTo(undo);
    }

    @Test
    void reads_a_limited_number_of_ids_that_belong_to_other_requests() {
        run(Deliveries.rename("r1", "files", "/a", "/b"));
        JournalEntry foreign =
                TestEntry.of(Deliveries.rename("x", "other", "/x", "/y")).build();
        AtomicInteger reads = new AtomicInteger();

        UndoRequest undo = UndoRequest.of(world.entry("r1"), id -> {
            assertThat(reads.incrementAndGet()).isLessThanOrEqualTo(UndoRequest.MOST_IDS);
            return Optional.of(foreign);
        });

        assertThat(undo)
                .isEqualTo(new NotReversible(
                        Why.NO_FREE_ID,
                        "100 requests already have the ids of an undo of this rename; send the rename from /b to /a"
                                + " yourself, after r1"));
    }

    @Test
    void an_undo_that_is_of_another_requester_with_another_version_keeps_its_id() {
        run(Deliveries.rename("r1", "files", "/a", "/b"));
        RenameRequest undo = ((Possible) of("r1")).request();

        UndoRequest again = UndoRequest.of(
                world.entry("r1"),
                id -> Optional.of(
                        TestEntry.of(undo.withVersion(7).requestedBy("me")).build()));

        assertThat(again).isEqualTo(new Possible(undo));
    }

    @Test
    void an_undo_moves_nothing_that_another_rename_has_put_at_the_destination() {
        world.directory("x", "/x");
        world.file("x1", "/x/1");
        run(Deliveries.rename("r1", "files", "/a", "/b"));
        run(Deliveries.rename("r2", "files", "/b", "/c"));
        run(Deliveries.rename("r3", "files", "/x", "/b"));

        run(((Possible) of("r1")).request());

        assertThat(world.outcome("undo-r1"))
                .returns(Status.REJECTED, Outcome::status)
                .returns(Reason.SOURCE_NOT_FOUND, Outcome::reason)
                .returns("the document a is not at /b any more", Outcome::message);
        assertThat(world.paths()).containsEntry("x1", "/b/1").containsEntry("a", "/c");
    }

    @Test
    void a_rename_is_not_reversible_if_it_has_replaced_a_document() {
        world.directory("e", "/e");
        run(Deliveries.replace("r1", "files", "/a", "/e"));
        run(Deliveries.replace("r2", "files", "/ab", "/free"));

        assertNotReversible("r1", Why.REPLACED);
        assertThat(of("r2")).isInstanceOf(Possible.class);
    }

    @Test
    void a_rename_without_an_effect_is_not_reversible() {
        run(Deliveries.rename("rejected", "files", "/nowhere", "/b"));
        run(Deliveries.rename("relative", "files", "a", "/b"));
        world.heldByAnother("/a/d", "/c");
        run(Deliveries.rename("failed", "files", "/a", "/b"));

        assertNotReversible("rejected", Why.NOT_COMPLETED);
        assertNotReversible("relative", Why.NOT_COMPLETED);
        assertNotReversible("failed", Why.NOT_COMPLETED);
    }

    @Test
    void a_rename_is_reversible_as_soon_as_it_is_decided() {
        world.heldByAnother("/a/d", "/c");
        assertNotReversible("other", Why.NOT_DECIDED);
        var prepared = world.journal.read("other").orElseThrow();
        Decision decision = new Decision(world.time.now(), "worker-9", Map.of(), List.of());
        world.journal.write(JournalStep.COMMIT, prepared.value().committed(decision, 1), prepared.version());

        assertThat(of("other")).isInstanceOf(Possible.class);
    }

    @Test
    void a_parked_or_abandoned_rename_is_not_reversible() {
        world.heldByAnother("/a/d", "/c");
        Decision decision = new Decision(world.time.now(), "worker-9", Map.of(), List.of());
        write(JournalStep.COMMIT, entry -> entry.committed(decision, 1));
        write(JournalStep.PARK, entry -> entry.parked(new Parking("no room", List.of())));

        assertNotReversible("other", Why.PARKED);

        write(
                JournalStep.ABANDON,
                entry -> entry.done(new Ending(world.time.now(), "{\"status\":\"abandoned\"}"), 0, 1));

        assertNotReversible("other", Why.ABANDONED);
    }

    private void write(JournalStep step, UnaryOperator<JournalEntry> change) {
        var found = world.journal.read("other").orElseThrow();
        world.journal.write(step, change.apply(found.value()), found.version());
    }

    @Test
    void the_locks_of_a_writer_are_not_reversible() {
        WriteTarget writeTarget = new WriteTarget("files", List.of("/a"));
        world.journal.create(
                JournalStep.ATTEMPT,
                JournalEntry.held(
                        new ExternalWriter("write-1", writeTarget, world.time.now()),
                        new Ownership("writer-1", 1, "h")));

        assertNotReversible("write-1", Why.NO_RENAME);
    }

    @Test
    void replaces_an_id_that_is_too_long_by_a_stable_hash() {
        String longest = "é".repeat(100);

        assertThat(UndoRequest.requestId("x".repeat(195), 1)).isEqualTo("undo-" + "x".repeat(195));
        assertThat(UndoRequest.requestId(longest, 1))
                .matches("undo-[0-9a-f]{64}")
                .isEqualTo(UndoRequest.requestId(longest, 1))
                .isNotEqualTo(UndoRequest.requestId("é".repeat(99) + "xx", 1));
    }
}
