package org.treerename.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.treerename.journal.Decision;
import org.treerename.journal.Deliveries;
import org.treerename.journal.Delivery;
import org.treerename.journal.Ending;
import org.treerename.journal.JournalEntry;
import org.treerename.journal.Ownership;
import org.treerename.journal.Progress;
import org.treerename.journal.State;
import org.treerename.rename.Renamer;
import org.treerename.rename.Stores;
import org.treerename.store.Interference;
import org.treerename.tree.BlindTreeStore;
import org.treerename.tree.DirtyTreeStore;
import org.treerename.tree.TreeStore;

/** Tests the removal of the documents that a rename replaces at its destination. */
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
    void a_directory_replaces_an_empty_directory() {
        world.withTree();
        world.directory("b", "/b");

        world.renamer().run(Deliveries.of(Deliveries.replace("r1", "files", "/a", "/b")));

        assertThat(world.paths()).isEqualTo(World.treeAt("/b"));
        world.assertQuiet();
    }

    @Test
    void removes_a_replaced_document_although_another_program_edits_it_after_the_commit() {
        world.withTree();
        world.calls.interfere(Interference.before("tree.remove", 1, () -> world.file("ab", "/ab")));

        world.renamer().run(Deliveries.of(Deliveries.replace("r1", "files", "/a/1", "/ab")));

        assertThat(world.paths()).doesNotContainKey("ab").containsEntry("a1", "/ab");
        world.assertQuiet();
    }

    @Test
    void removes_a_replaced_document_although_a_read_does_not_find_it() {
        world.withTree();
        world.calls.interfere(Interference.before("tree.remove", 1, () -> world.file("ab", "/ab")));
        Stores dirty = world.stores(new DirtyTreeStore(world.calls.around(TreeStore.class, world.tree)));

        new Renamer(dirty, world.context("worker-1"))
                .run(Deliveries.of(Deliveries.replace("r1", "files", "/a/1", "/ab")));

        assertThat(world.paths()).doesNotContainKey("ab").containsEntry("a1", "/ab");
        world.assertQuiet();
    }

    @Test
    void removes_a_replaced_document_although_one_search_does_not_find_it() {
        world.withTree();
        Stores blind = world.stores(new BlindTreeStore(world.tree, scan -> scan == 1, true));

        new Renamer(blind, world.context("worker-1"))
                .run(Deliveries.of(Deliveries.replace("r1", "files", "/a/1", "/ab")));

        assertThat(world.paths()).doesNotContainKey("ab").containsEntry("a1", "/ab");
        world.assertQuiet();
    }

    @Test
    void keeps_a_replaced_document_that_another_program_has_moved_away() {
        world.withTree();
        world.calls.interfere(Interference.before("tree.remove", 1, () -> world.file("ab", "/saved")));

        world.renamer().run(Deliveries.of(Deliveries.replace("r1", "files", "/a/1", "/ab")));

        assertThat(world.paths()).containsEntry("ab", "/saved").containsEntry("a1", "/ab");
        world.assertQuiet();
    }

    @Test
    void keeps_a_document_that_another_program_creates_again_while_the_rename_is_parked() {
        world.withTree();
        world.calls.interfere(Interference.before("tree.move", 1, () -> {
            world.file("ab", "/ab");
            throw new IllegalStateException("the thread ends");
        }));
        Delivery delivery = Deliveries.of(Deliveries.replace("r1", "files", "/a/1", "/ab"));
        assertThatThrownBy(() -> world.renamer().run(delivery)).hasMessage("the thread ends");

        world.renamer().run(delivery);

        assertThat(world.paths()).containsEntry("ab", "/ab").containsEntry("a1", "/ab");
        world.assertQuiet();
    }

    @Test
    void completes_the_removals_that_an_earlier_process_began() {
        world.withTree();
        world.calls.interfere(Interference.before("tree.remove", 1, () -> {
            throw new IllegalStateException("the thread ends");
        }));
        Delivery delivery = Deliveries.of(Deliveries.replace("r1", "files", "/a/1", "/ab"));
        assertThatThrownBy(() -> world.renamer().run(delivery)).hasMessage("the thread ends");

        world.renamer().run(delivery);

        assertThat(world.paths()).doesNotContainKey("ab").containsEntry("a1", "/ab");
        world.assertQuiet();
    }

    @Test
    void keeps_the_number_of_documents_that_are_too_new_to_be_replaced() {
        JournalEntry moving = JournalEntry.prepared(
                        Deliveries.of(Deliveries.replace("r1", "files", "/a/1", "/ab")),
                        new Ownership("worker-1", 1, "h1"))
                .committed(new Decision(world.time.now(), "worker-1", Map.of(), List.of()), 1);

        JournalEntry replaced = moving.replaced(3);

        assertThat(replaced.progressed(5, 1).progress()).isEqualTo(new Progress(1, 5, 1, 3));
        assertThat(replaced.done(new Ending(world.time.now(), "end"), 6, 2).progress())
                .isEqualTo(new Progress(1, 6, 2, 3));
    }

    @Test
    void removes_no_document_of_an_index_that_was_created_again_after_the_commit() {
        world.withTree();
        world.calls.interfere(Interference.before("tree.remove", 1, () -> {
            world.tree.createIndex(World.INDEX);
            world.file("ab", "/ab");
        }));

        world.renamer().run(Deliveries.of(Deliveries.replace("r1", "files", "/a/1", "/ab")));

        assertThat(world.entry("r1")).returns(State.PARKED, JournalEntry::state);
        assertThat(world.entry("r1").parking())
                .asString()
                .contains("the indices of namespace files have changed since the commit");
        assertThat(world.paths()).containsEntry("ab", "/ab").containsEntry("a1", "/a/1");
    }
}
