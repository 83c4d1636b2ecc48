package org.treerename.worker;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.treerename.journal.Deliveries;
import org.treerename.journal.Delivery;
import org.treerename.journal.JournalEntry;
import org.treerename.journal.Parking;
import org.treerename.journal.State;
import org.treerename.rename.Renamer;
import org.treerename.rename.Renamer.Answer;
import org.treerename.request.Outcome;
import org.treerename.request.Reason;
import org.treerename.request.Status;
import org.treerename.store.Interference;
import org.treerename.store.RefusedException;
import org.treerename.tree.ForwardingTreeStore;
import org.treerename.tree.RawJson;
import org.treerename.tree.RefusingTreeStore;
import org.treerename.tree.TreeStore;
import org.treerename.tree.TreeStore.Written;

class RenamerTest {

    private final World world = new World();
    private final Delivery aToB = Deliveries.of(Deliveries.rename("r1", "files", "/a", "/b"));

    private Answer.Published published(String requestId) {
        return new Answer.Published(world.outcomes.of(requestId).getFirst());
    }

    @Test
    void a_directory_moves_with_everything_below_it_and_nothing_else() {
        world.withTree();

        Answer answer = world.renamer().run(aToB);

        assertThat(answer).isEqualTo(published("r1"));
        assertThat(world.paths()).isEqualTo(World.treeAt("/b"));
        assertThat(world.outcome("r1"))
                .isEqualTo(new Outcome(
                        "r1",
                        Status.COMPLETED,
                        null,
                        "renamed /a to /b",
                        5,
                        0,
                        "worker-1",
                        false,
                        null,
                        Deliveries.APPENDED,
                        world.time.now(),
                        world.time.now(),
                        new Outcome.Paths("files", "/a", "/b")));
        world.assertQuiet();
    }

    @Test
    void a_document_that_the_rename_does_not_cover_keeps_its_version() {
        world.withTree();
        var before = world.tree.document(World.INDEX, "ab").orElseThrow().ref();

        world.renamer().run(aToB);

        assertThat(world.tree.document(World.INDEX, "ab").orElseThrow().ref()).isEqualTo(before);
    }

    @Test
    void a_file_moves_alone_and_keeps_its_other_fields() {
        world.withTree();

        world.renamer().run(Deliveries.of(Deliveries.rename("r1", "files", "/a/1", "/ad")));

        assertThat(world.tree.document(World.INDEX, "a1").orElseThrow().source())
                .isEqualTo(RawJson.of(
                        "{\"path\":\"/ad\",\"parent\":\"/\",\"name\":\"ad\",\"type\":\"file\",\"size\":1.10}"));
        assertThat(world.outcome("r1"))
                .returns(Status.COMPLETED, Outcome::status)
                .returns(1L, Outcome::moved);
        assertThat(world.entry("r1").progress().moved()).isEqualTo(1);
        world.assertQuiet();
    }

    @Test
    void a_rename_to_its_own_source_completes_and_writes_no_document() {
        world.withTree();
        var before = world.tree.document(World.INDEX, "a").orElseThrow();

        world.renamer().run(Deliveries.of(Deliveries.rename("r1", "files", "/a", "/a")));

        assertThat(world.outcome("r1"))
                .returns(Status.COMPLETED, Outcome::status)
                .returns(0L, Outcome::moved);
        assertThat(world.tree.document(World.INDEX, "a")).contains(before);
        world.assertQuiet();
    }

    @Test
    void a_document_that_the_store_refuses_permanently_parks_the_rename_with_its_locks() {
        world.withTree();
        TreeStore refusing = new RefusingTreeStore(
                world.tree, move -> move.document().ref().id().equals("ad1"));
        Renamer renamer = new Renamer(world.stores(refusing), world.context("worker-1"));

        Answer answer = renamer.run(aToB);

        assertThat(answer).isEqualTo(new Answer.Parked());
        assertThat(world.entry("r1"))
                .returns(State.PARKED, JournalEntry::state)
                .returns(
                        new Parking("1 documents cannot be moved", List.of("ad1: 400 document_parsing_exception")),
                        JournalEntry::parking);
        assertThat(world.heldPaths()).containsExactly("/a", "/b");
        assertThat(world.outcomes.log()).isEmpty();
        assertThat(renamer.run(aToB)).isEqualTo(new Answer.Parked());
    }

    @Test
    void a_store_that_refuses_a_whole_page_parks_the_rename() {
        world.withTree();
        world.calls.interfere(Interference.before("tree.move", 2, () -> {
            throw new RefusedException("POST /_bulk answered 413");
        }));

        assertThat(world.renamer().run(aToB)).isEqualTo(new Answer.Parked());
        assertThat(world.entry("r1").state()).isEqualTo(State.PARKED);
    }

    @Test
    void a_store_that_refuses_the_removal_of_a_replaced_document_parks_the_rename() {
        world.withTree();
        world.calls.interfere(Interference.before("tree.remove", 1, () -> {
            throw new RefusedException("POST /_bulk answered 403");
        }));

        Answer answer = world.renamer().run(Deliveries.of(Deliveries.replace("r1", "files", "/a/1", "/ab")));

        assertThat(answer).isEqualTo(new Answer.Parked());
        assertThat(world.paths()).containsEntry("ab", "/ab").containsEntry("a1", "/a/1");
    }

    @Test
    void the_entry_records_that_a_replaced_document_cannot_be_removed() {
        world.withTree();
        Written refused = new Written.Refused("400 a removal that can never be applied");
        TreeStore refusing = new ForwardingTreeStore() {
            @Override
            public TreeStore tree() {
                return world.tree;
            }

            @Override
            public List<Written> remove(List<Removal> removals) {
                return Collections.nCopies(removals.size(), refused);
            }
        };

        new Renamer(world.stores(refusing), world.context("worker-1"))
                .run(Deliveries.of(Deliveries.replace("r1", "files", "/a/1", "/ab")));

        assertThat(world.entry("r1").parking())
                .isEqualTo(new Parking("1 documents cannot be removed", List.of(refused.toString())));
    }

    @Test
    void a_permanently_refused_prepare_leaves_no_lock() {
        world.withTree();
        world.calls.interfere(Interference.after("journal.prepare", 1, () -> {
            throw new RefusedException("a write of rename:r1 ended with 400");
        }));

        try {
            world.renamer().run(aToB);
        } catch (RefusedException e) {
            assertThat(e).hasMessageContaining("400");
        }

        assertThat(world.locks.tables()).isEmpty();
    }

    @Test
    void a_top_level_document_whose_parent_is_null_moves() {
        world.tree.put(World.INDEX, "a", null, "{\"path\":\"/a\",\"parent\":null,\"type\":\"file\"}");

        assertThat(world.renamer().run(aToB)).isEqualTo(published("r1"));
        assertThat(world.outcome("r1").status()).isEqualTo(Status.COMPLETED);
    }

    @Test
    void a_document_with_several_paths_rejects_the_rename_before_anything_moves() {
        world.withTree();
        world.tree.put(World.INDEX, "odd", null, "{\"path\":[\"/a/odd\",\"/q\"],\"parent\":\"/a\",\"name\":\"odd\"}");

        assertThat(world.renamer().run(aToB)).isEqualTo(published("r1"));
        assertThat(world.outcome("r1").reason()).isEqualTo(Reason.NOT_MOVABLE);
        assertThat(world.paths()).containsEntry("a1", "/a/1");
    }

    @Test
    void a_document_that_gets_a_second_path_after_the_commit_parks_the_rename() {
        world.withTree();
        world.calls.interfere(Interference.before(
                "tree.move",
                1,
                () -> world.tree.put(
                        World.INDEX,
                        "odd",
                        null,
                        "{\"path\":[\"/a/odd\",\"/q\"],\"parent\":\"/a\",\"name\":\"odd\"}")));

        assertThat(world.renamer().run(aToB)).isEqualTo(new Answer.Parked());
        assertThat(world.entry("r1").state()).isEqualTo(State.PARKED);
    }
}
