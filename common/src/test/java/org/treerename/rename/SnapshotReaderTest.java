package org.treerename.rename;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.treerename.namespace.Namespace;
import org.treerename.path.TreePath;
import org.treerename.request.OnExisting;
import org.treerename.tree.ForwardingTreeStore;
import org.treerename.tree.Rename;
import org.treerename.tree.TreeSnapshot;
import org.treerename.tree.TreeStore;

/** Tests that the reader returns a snapshot together with the indices in which the snapshot was read. */
class SnapshotReaderTest {

    private final World world = new World().withTree();
    private final List<String> calls = new ArrayList<>();
    private Runnable beforeExamination = () -> {};
    private Runnable afterExamination = () -> {};
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
            calls.add("examine");
            beforeExamination.run();
            beforeExamination = () -> {};
            TreeSnapshot snapshot = world.tree.examine(rename);
            afterExamination.run();
            afterExamination = () -> {};
            return snapshot;
        }
    });

    private SnapshotReader.Reading read() {
        return read(World.FILES);
    }

    private SnapshotReader.Reading read(Namespace namespace) {
        return reader.read(
                        new Rename("r1", namespace, new TreePath("/a"), new TreePath("/b"), OnExisting.FAIL),
                        world.context("worker-1"))
                .orElseThrow();
    }

    /** Creates the index again, with one document. The old index contained a document with the same id. */
    private void makeAgain() {
        world.tree.createIndex(World.INDEX);
        world.directory("a", "/a");
    }

    @Test
    void the_first_read_requests_the_indices_before_and_after_the_snapshot() {
        read();

        assertThat(calls).containsExactly("indices", "examine", "indices");
    }

    @Test
    void a_later_read_uses_the_indices_of_the_previous_read() {
        read();
        calls.clear();

        read();

        assertThat(calls).containsExactly("examine", "indices");
    }

    @Test
    void repeats_a_snapshot_if_its_index_was_created_again_afterwards() {
        afterExamination = this::makeAgain;

        SnapshotReader.Reading reading = read();

        assertCurrentSnapshot(reading);
    }

    @Test
    void repeats_a_later_snapshot_if_its_index_was_created_again_afterwards() {
        read();
        afterExamination = this::makeAgain;

        SnapshotReader.Reading reading = read();

        assertCurrentSnapshot(reading);
    }

    @Test
    void repeats_a_snapshot_if_an_index_left_its_alias_for_a_moment() {
        String alias = "alias";
        world.tree.createIndex("other");
        world.tree.alias(alias, World.INDEX, "other");
        Namespace behindAlias = Namespace.ofFiles("files", alias);
        beforeExamination = () -> world.tree.alias(alias, "other");
        afterExamination = () -> world.tree.alias(alias, World.INDEX, "other");

        SnapshotReader.Reading reading = read(behindAlias);

        assertThat(calls).containsExactly("indices", "examine", "indices", "examine", "indices");
        assertThat(reading.snapshot().own()).hasSize(1);
    }

    private void assertCurrentSnapshot(SnapshotReader.Reading reading) {
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
