package org.treerename.rename;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.treerename.path.Namespace;
import org.treerename.path.TreePath;

/** The facts of a rename are those of the indices that are recorded with its decision. */
class SnapshotReaderTest {

    private final World world = new World().withTree();
    private final List<String> calls = new ArrayList<>();
    private Runnable afterFacts = () -> {};
    private final SnapshotReader reader = new SnapshotReader(new ForwardingTreeStore() {
        @Override
        public TreeStore tree() {
            return world.tree;
        }

        @Override
        public Map<String, String> indices(Namespace namespace) {
            calls.add("indices");
            return world.tree.indices(namespace);
        }

        @Override
        public TreeSnapshot examine(Rename rename) {
            calls.add("facts");
            TreeSnapshot snapshot = world.tree.examine(rename);
            afterFacts.run();
            afterFacts = () -> {};
            return snapshot;
        }
    });

    private SnapshotReader.Reading read() {
        return reader.read(
                new Rename("r1", World.FILES, new TreePath("/a"), new TreePath("/b"), OnExisting.FAIL),
                world.context("worker-1"));
    }

    /** As an index has it that was made again, with a document of the same id. */
    private void makeAgain() {
        world.tree.createIndex(World.INDEX);
        world.directory("a", "/a");
    }

    @Test
    void the_first_reading_asks_for_the_indices_before_and_after_the_facts() {
        read();

        assertThat(calls).containsExactly("indices", "facts", "indices");
    }

    @Test
    void a_later_reading_knows_the_indices_from_the_one_before() {
        read();
        calls.clear();

        read();

        assertThat(calls).containsExactly("facts", "indices");
    }

    @Test
    void facts_of_an_index_that_was_made_again_after_them_are_read_again() {
        afterFacts = this::makeAgain;

        SnapshotReader.Reading reading = read();

        assertFactsOfNow(reading);
    }

    @Test
    void so_they_are_where_the_indices_were_known() {
        read();
        afterFacts = this::makeAgain;

        SnapshotReader.Reading reading = read();

        assertFactsOfNow(reading);
    }

    private void assertFactsOfNow(SnapshotReader.Reading reading) {
        assertThat(reading.indices()).isEqualTo(world.tree.indices(World.FILES));
        assertThat(reading.snapshot().own())
                .extracting(own -> own.ref().version())
                .containsExactly(world.tree
                        .document(World.INDEX, "a")
                        .orElseThrow()
                        .ref()
                        .version());
    }
}
