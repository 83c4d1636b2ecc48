package org.treerename.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Map;
import java.util.UUID;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.awaitility.Awaitility;
import org.treerename.checker.Comparison;
import org.treerename.checker.ElasticsearchHttp;
import org.treerename.checker.Leftovers;
import org.treerename.checker.TreeDump;
import org.treerename.checker.TreeModel;
import org.treerename.lock.LockTable;
import org.treerename.namespace.Granularity;
import org.treerename.path.TreePath;
import org.treerename.testservers.TestServers;

/**
 * A tree with a directory of 400 documents, which a test renames, and some documents outside this directory. The
 * methods of this class check the tree at the end of the test.
 */
final class Scene {

    static final String SOURCE = "/source";
    static final String DESTINATION = "/destination";
    static final String OUTSIDE = "/outside";

    /** The path whose lock blocks every rename of the source. */
    private static final String LOCKED = Tree.GRANULARITY == Granularity.GLOBAL ? "/" : SOURCE;

    private static final int FILES = 399;
    private static final int OTHERS = 50;

    private final Elasticsearch elasticsearch;
    private final Tree tree;
    private final ObjectNode request;
    private final TreeModel model;
    private final ChangeCheck changeCheck;
    private final Map<String, Long> outside;
    private final String holder = UUID.randomUUID().toString();

    private Scene(Elasticsearch elasticsearch, Tree tree, ObjectNode request) {
        this.elasticsearch = elasticsearch;
        this.tree = tree;
        this.request = request;
        this.model = TreeModel.of(dump());
        this.outside = tree.versionsBelow(OUTSIDE);
        this.changeCheck = ChangeCheck.of(elasticsearch, tree);
    }

    /**
     * Creates and indexes the tree.
     *
     * @param replacing whether the destination is an empty directory that the rename replaces
     */
    static Scene create(boolean replacing) {
        return create(Elasticsearch.SHARED, FILES, replacing);
    }

    /** Creates and indexes a tree with this number of files below the source. */
    static Scene create(Elasticsearch elasticsearch, int files, boolean replacing) {
        Tree tree = Tree.createIn(elasticsearch).directories(SOURCE, OUTSIDE);
        for (int i = 0; i < files; i++) {
            tree.files(SOURCE + "/file-" + i);
        }
        for (int i = 0; i < OTHERS; i++) {
            tree.files(OUTSIDE + "/file-" + i);
        }
        ObjectNode request = Requests.rename(tree.name(), SOURCE, DESTINATION);
        if (replacing) {
            tree.directories(DESTINATION);
            request.put("on_existing", "replace");
        }
        return new Scene(elasticsearch, tree.index(), request);
    }

    Tree tree() {
        return tree;
    }

    String requestId() {
        return Requests.id(request);
    }

    RecordMetadata send(Log log) {
        return log.send(0, null, request.toString().getBytes(StandardCharsets.UTF_8));
    }

    /**
     * Locks the source for another live process, so that the lock table of the source refuses a rename of the source.
     * The destination has a different lock table, which grants its locks to the rename.
     */
    void holdSource() {
        assertThat(LockTable.Id.of(tree.name(), new TreePath(SOURCE)))
                .isNotEqualTo(LockTable.Id.of(tree.name(), new TreePath(DESTINATION)));
        Holding.ofLiveProcess(tree.name(), LOCKED, holder);
    }

    boolean isSourceHeld() {
        return Holding.holdsAt(tree.name(), LOCKED).contains(Holding.holdOf(holder));
    }

    void letSourceGo() {
        Holding.release(tree.name(), LOCKED, holder);
    }

    JsonNode awaitOutcome(Log log) {
        return log.outcome(Requests.id(request));
    }

    void awaitClosed() {
        Awaitility.await("the journal entry is closed")
                .atMost(Log.PATIENCE)
                .until(() -> elasticsearch
                        .entry(Requests.id(request))
                        .filter(entry -> entry.path("state").asText().equals("closed"))
                        .isPresent());
    }

    void assertCompleted(Log log) {
        assertThat(awaitOutcome(log).path("status").asText()).isEqualTo("completed");
    }

    /**
     * Checks that all published outcomes of the rename are equal, and that no document below {@link #OUTSIDE} was
     * written.
     */
    void assertOneOutcome(Log log) {
        assertCompleted(log);
        assertThat(new HashSet<>(log.outcomes(Requests.id(request)))).hasSize(1);
        assertThat(tree.versionsBelow(OUTSIDE)).isEqualTo(outside);
    }

    /** Runs all checks of {@link ChangeCheck}. {@code killed} is the number of processes that were killed or frozen. */
    void assertGood(int killed) {
        changeCheck.assertGood(killed);
    }

    /** Compares the tree with the expected tree after the rename, document by document. Does not use the journal. */
    void assertRenamed(boolean replacing) {
        assertThat(model.apply(SOURCE, DESTINATION, replacing)).isInstanceOf(TreeModel.Applied.Renamed.class);
        Comparison comparison = Comparison.of(model, dump());
        assertThat(comparison.isEqual()).as(comparison.toString()).isTrue();
    }

    /**
     * Blocks until no namespace has a hold, a claim or an open journal entry. A test with a separate tree uses
     * {@link Tree#assertNothingLeft} instead, which ignores the trees of other tests.
     */
    static void assertNothingLeft() {
        try (ElasticsearchHttp http = new ElasticsearchHttp(TestServers.elasticsearchUrl())) {
            Awaitility.await("nothing is left")
                    .atMost(Log.PATIENCE)
                    .untilAsserted(
                            () -> assertThat(Leftovers.read(http).found()).isEmpty());
        }
    }

    private TreeDump dump() {
        try (ElasticsearchHttp http = new ElasticsearchHttp(elasticsearch.url())) {
            return TreeDump.read(http, tree.namespace());
        }
    }
}
