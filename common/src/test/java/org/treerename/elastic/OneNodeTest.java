package org.treerename.elastic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.treerename.journal.State;
import org.treerename.namespace.Namespace;
import org.treerename.path.TreePath;
import org.treerename.request.OnExisting;
import org.treerename.store.NoAnswerException;
import org.treerename.store.Version;
import org.treerename.tree.Document;
import org.treerename.tree.Rename;
import org.treerename.tree.TreeSnapshot;
import org.treerename.tree.TreeStore.Reach;
import org.treerename.tree.TreeStore.Scan;

/** Tests that an up-to-date read uses the node that answered the refresh, even if the cluster has several nodes. */
class OneNodeTest {

    private static final Namespace FILES = Namespace.ofFiles("files", "files-1");

    private static final String NOTHING_FOUND = """
            {"timed_out":false,"_shards":{"total":1,"successful":1,"failed":0},"hits":{"total":{"value":0,"relation":"eq"},"hits":[]}}""";

    private static final Map<String, String> ANSWERS = Map.of(
            "_refresh",
            "{\"_shards\":{\"total\":1,\"successful\":1,\"failed\":0}}",
            "_search_shards",
            GoodNode.copies("copy-1").toString(),
            "_pit",
            "{\"id\":\"pit\",\"_shards\":{\"total\":1,\"successful\":1,\"failed\":0},\"succeeded\":true,\"num_freed\":1}",
            "_search",
            NOTHING_FOUND,
            "_mget",
            "{\"docs\":[{\"_index\":\"files-1\",\"_id\":\"id\",\"found\":false}]}");

    /** The number of documents that every filter of a search counts. */
    private int counted;

    /** The requests in the order of their arrival, each with the number of the node that received it. */
    private final Queue<String> asked = new ConcurrentLinkedQueue<>();

    private List<StubNode> nodes = List.of();
    private Elastic elastic = Elastic.connect(Elastic.Settings.of("http://127.0.0.1:1", Duration.ofSeconds(1)));

    @BeforeEach
    void start() {
        nodes = List.of(node(1), node(2), node(3));
        String urls = nodes.stream().map(StubNode::url).collect(Collectors.joining(","));
        elastic.close();
        elastic = Elastic.connect(Elastic.Settings.of(urls, Duration.ofSeconds(10)));
    }

    @AfterEach
    void stop() {
        elastic.close();
        nodes.forEach(StubNode::close);
    }

    private StubNode node(int number) {
        return StubNode.answering(request -> answer(number, request));
    }

    private StubNode.Answer answer(int number, StubNode.Request request) {
        String path = request.path();
        String kind = path.substring(path.lastIndexOf('/') + 1);
        asked.add(number + " " + kind);
        return new StubNode.Answer(
                200,
                kind.equals("_msearch")
                        ? GoodNode.msearch(request.body(), counted, List.of()).toString()
                        : ANSWERS.getOrDefault(kind, "{}"));
    }

    private ElasticTreeStore tree() {
        return new ElasticTreeStore(elastic, new ElasticTreeStore.Limits(10, 1_000));
    }

    private void assertAskedOfOne(String... kinds) {
        assertThat(asked.stream().map(request -> request.substring(request.indexOf(' ') + 1)))
                .containsExactly(kinds);
        assertThat(asked.stream().map(request -> request.substring(0, request.indexOf(' '))))
                .as("the node of all requests")
                .containsOnly(asked.element().substring(0, asked.element().indexOf(' ')));
    }

    @Test
    void sends_requests_to_the_nodes_in_turn() {
        elastic.raw().post("/files-1/_refresh");
        elastic.raw().post("/files-1/_refresh");
        elastic.raw().post("/files-1/_refresh");

        assertThat(asked).doesNotHaveDuplicates();
    }

    @Test
    void a_scan_reads_at_the_node_that_refreshed() {
        try (Scan scan = tree().scan(FILES, new TreePath("/a"), Reach.AT_OR_BELOW)) {
            scan.nextPage();
            scan.nextPage();
        }

        assertAskedOfOne("_refresh", "_search_shards", "_search_shards", "_msearch");
    }

    @Test
    void a_scan_that_finds_documents_reads_them_from_a_point_in_time_of_that_node() {
        counted = 1;

        try (Scan scan = tree().scan(FILES, new TreePath("/a"), Reach.AT_OR_BELOW)) {
            scan.nextPage();
            scan.nextPage();
        }
        awaitRequests(7);

        assertAskedOfOne("_refresh", "_search_shards", "_search_shards", "_msearch", "_pit", "_search", "_pit");
    }

    @Test
    void a_scan_before_the_commit_reads_a_point_in_time_of_the_node_that_examined_the_rename() {
        ElasticTreeStore tree = tree();
        Rename rename = new Rename("r1", FILES, new TreePath("/a"), new TreePath("/b"), OnExisting.FAIL);

        try (Scan scan = tree.open(rename, tree.examine(rename))) {
            scan.nextPage();
        }
        awaitRequests(7);

        assertAskedOfOne("_refresh", "_search_shards", "_search_shards", "_msearch", "_pit", "_search", "_pit");
    }

    /** A node that has not refreshed may not show every acknowledged write. */
    @Test
    void a_scan_before_the_commit_is_opened_at_no_other_node() {
        ElasticTreeStore tree = tree();
        Rename rename = new Rename("r1", FILES, new TreePath("/a"), new TreePath("/b"), OnExisting.FAIL);
        TreeSnapshot ofNoNode = tree.examine(rename).seenAt(Set.of(), "");

        assertThatThrownBy(() -> tree.open(rename, ofNoNode))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("the snapshot names no node");
    }

    /**
     * Blocks until this number of requests has arrived. The request that closes the point in time may arrive later,
     * because another thread sends it.
     */
    private void awaitRequests(int count) {
        Awaitility.await().atMost(Duration.ofMinutes(2)).until(() -> asked.size() == count);
    }

    @Test
    void the_indices_are_read_at_the_node_that_was_compared_with_the_master() {
        assertThatThrownBy(() -> tree().indices(FILES)).isInstanceOf(NoAnswerException.class);

        assertAskedOfOne("_search_shards", "_search_shards", "files-1");
    }

    @Test
    void an_examination_reads_at_the_node_that_refreshed() {
        tree().examine(new Rename("r1", FILES, new TreePath("/a"), new TreePath("/b"), OnExisting.FAIL));

        assertAskedOfOne("_refresh", "_search_shards", "_search_shards", "_msearch");
    }

    @Test
    void the_control_index_is_searched_at_the_node_that_refreshed() {
        new ElasticJournal(new ControlIndex(elastic)).in(State.needingOwner());

        assertAskedOfOne("_refresh", "_search");
    }

    @Test
    void a_namespace_is_unknown_when_the_node_that_refreshed_does_not_know_it() {
        assertThat(new ElasticNamespaces(elastic, new ControlIndex(elastic)).find("files"))
                .isEmpty();

        asked.remove();
        assertAskedOfOne("_refresh", "_mget");
    }

    @Test
    void one_document_is_read_at_the_node_that_refreshed() {
        tree().read(FILES, new Document.Ref("files-1", "id", null, new Version(0, 1)));

        assertAskedOfOne("_refresh", "_search_shards", "_search_shards", "_mget");
    }

    @Test
    void no_other_node_replaces_a_node_that_stops_after_its_refresh() {
        Elastic.Answer refreshed = elastic.raw().post("/files-1/_refresh");
        nodes.stream()
                .filter(node -> node.url().endsWith(":" + refreshed.node().getPort()))
                .forEach(StubNode::close);
        asked.clear();

        assertThatThrownBy(() -> elastic.at(refreshed).raw().post("/_search")).isInstanceOf(NoAnswerException.class);
        assertThat(asked).isEmpty();
    }
}
