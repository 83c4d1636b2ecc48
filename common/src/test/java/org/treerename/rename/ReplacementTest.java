package org.treerename.rename;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.treerename.store.Interference;
import org.treerename.wire.JsonOutcomeCodec;

/** What stands at the destination, and goes. */
class ReplacementTest {

    private final World world = new World();

    @Test
    void a_file_replaces_a_file() {
        world.withTree();

        world.renamer().run(Deliveries.of(Deliveries.replace("r1", "files", "/a/1", "/ab")));

        assertThat(world.paths())
                .isEqualTo(Map.of("a", "/a", "a1", "/ab", "a2", "/a/2", "ad", "/a/d", "ad1", "/a/d/1"));
        world.assertQuiet();
    }

    @Test
    void a_directory_replaces_an_empty_one() {
        world.withTree();
        world.directory("b", "/b");

        world.renamer().run(Deliveries.of(Deliveries.replace("r1", "files", "/a", "/b")));

        assertThat(world.paths()).isEqualTo(World.treeAt("/b"));
        world.assertQuiet();
    }

    @Test
    void what_is_replaced_is_removed_although_an_outside_writer_edited_it_after_the_commit() {
        world.withTree();
        world.calls.interfere(Interference.before("tree.remove", 1, () -> world.file("ab", "/ab")));

        world.renamer().run(Deliveries.of(Deliveries.replace("r1", "files", "/a/1", "/ab")));

        assertThat(world.paths()).doesNotContainKey("ab").containsEntry("a1", "/ab");
        world.assertQuiet();
    }

    @Test
    void what_only_a_read_shows_as_gone_is_removed_all_the_same() {
        world.withTree();
        world.calls.interfere(Interference.before("tree.remove", 1, () -> world.file("ab", "/ab")));
        Stores dirty = world.stores(new DirtyTreeStore(new FaultyTreeStore(world.tree, world.calls)));

        new Renamer(dirty, new JsonOutcomeCodec(), world.context("worker-1"))
                .run(Deliveries.of(Deliveries.replace("r1", "files", "/a/1", "/ab")));

        assertThat(world.paths()).doesNotContainKey("ab").containsEntry("a1", "/ab");
        world.assertQuiet();
    }

    @Test
    void what_one_search_alone_shows_as_gone_is_removed_all_the_same() {
        world.withTree();
        Stores blind = world.stores(new BlindTreeStore(world.tree, scan -> scan == 1, true));

        new Renamer(blind, new JsonOutcomeCodec(), world.context("worker-1"))
                .run(Deliveries.of(Deliveries.replace("r1", "files", "/a/1", "/ab")));

        assertThat(world.paths()).doesNotContainKey("ab").containsEntry("a1", "/ab");
        world.assertQuiet();
    }

    @Test
    void what_was_to_be_replaced_and_has_been_moved_away_by_an_outside_writer_stays() {
        world.withTree();
        world.calls.interfere(Interference.before("tree.remove", 1, () -> world.file("ab", "/saved")));

        world.renamer().run(Deliveries.of(Deliveries.replace("r1", "files", "/a/1", "/ab")));

        assertThat(world.paths()).containsEntry("ab", "/saved").containsEntry("a1", "/ab");
        world.assertQuiet();
    }

    @Test
    void what_stands_in_an_index_that_was_made_again_after_the_commit_is_not_removed() {
        world.withTree();
        world.calls.interfere(Interference.before("tree.remove", 1, () -> {
            world.tree.createIndex(World.INDEX);
            world.file("ab", "/ab");
        }));

        world.renamer().run(Deliveries.of(Deliveries.replace("r1", "files", "/a/1", "/ab")));

        assertThat(world.entry("r1")).returns(State.PARKED, JournalEntry::state);
        assertThat(world.entry("r1").parking()).asString().contains("its indices are not those of the commit");
        assertThat(world.paths()).containsEntry("ab", "/ab").containsEntry("a1", "/a/1");
    }
}
