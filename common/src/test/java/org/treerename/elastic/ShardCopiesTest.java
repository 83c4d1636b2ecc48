package org.treerename.elastic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import java.time.Duration;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.treerename.namespace.Namespace;
import org.treerename.path.TreePath;
import org.treerename.store.NoAnswerException;
import org.treerename.tree.TreeStore.Reach;

/** Tests that no search, and no comparison of indices, uses a node with an outdated list of shard copies. */
class ShardCopiesTest {

    private static final Namespace FILES = Namespace.ofFiles("files", GoodNode.INDEX);
    private static final GoodNode GOOD = new GoodNode(Map.of(), false);

    private JsonNode ofMaster = GoodNode.copies("copy-1", "copy-2");
    private JsonNode ofNode = GoodNode.copies("copy-1", "copy-2");
    private final Queue<String> asked = new ConcurrentLinkedQueue<>();
    private final StubNode node = StubNode.answering(this::answer);
    private final Elastic elastic = Elastic.connect(Elastic.Settings.of(node.url(), Duration.ofSeconds(10)));

    @AfterEach
    void stop() {
        elastic.close();
        node.close();
    }

    private StubNode.Answer answer(StubNode.Request request) {
        if (!request.path().endsWith("/_search_shards")) {
            return GOOD.apply(request);
        }
        boolean isLocal = request.query().contains("local=true");
        asked.add(isLocal ? "node" : "master");
        return new StubNode.Answer(200, (isLocal ? ofNode : ofMaster).toString());
    }

    private ElasticTreeStore tree() {
        return new ElasticTreeStore(elastic, ElasticTreeStore.Limits.DEFAULT);
    }

    private void scan() {
        tree().scan(FILES, new TreePath("/a"), Reach.AT_OR_BELOW).close();
    }

    @Test
    void asks_the_master_before_the_node() {
        scan();

        assertThat(asked).containsExactly("master", "node");
    }

    @Test
    void does_not_search_a_node_with_a_copy_that_the_master_has_removed() {
        ofMaster = GoodNode.copies("copy-1");

        assertThatThrownBy(this::scan)
                .isInstanceOf(NoAnswerException.class)
                .hasMessageContaining("a node searches other copies of files-1 than the master lists");
    }

    @Test
    void searches_a_node_that_does_not_know_a_new_copy() {
        ofMaster = GoodNode.copies("copy-1", "copy-2", "copy-3");

        scan();

        assertThat(asked).hasSize(2);
    }

    @Test
    void does_not_search_a_node_that_does_not_know_an_index_that_the_master_lists() {
        ofMaster = GoodNode.copies("copy-1", "copy-2");
        ((ArrayNode) ofMaster.path("shards"))
                .addArray()
                .addObject()
                .put("index", "files-2")
                .put("shard", 0)
                .putObject("allocation_id")
                .put("id", "copy-3");

        assertThatThrownBy(this::scan).isInstanceOf(NoAnswerException.class).hasMessageContaining("files-2[0]");
    }

    @Test
    void does_not_search_a_node_that_lists_no_shard() {
        ofNode = Json.object();

        assertThatThrownBy(this::scan).isInstanceOf(NoAnswerException.class);
    }

    @Test
    void does_not_compare_the_indices_of_a_node_that_knows_a_deleted_index() {
        ofMaster = GoodNode.copies("copy-of-the-new-index");

        assertThatThrownBy(() -> tree().indices(FILES)).isInstanceOf(NoAnswerException.class);
    }

    @Test
    void compares_the_indices_of_a_node_that_knows_what_the_master_knows() {
        assertThat(tree().indices(FILES)).containsKey(GoodNode.INDEX);
        assertThat(asked).containsExactly("master", "node");
    }
}
