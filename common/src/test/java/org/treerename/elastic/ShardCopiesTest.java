package org.treerename.elastic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.treerename.namespace.Namespace;
import org.treerename.path.TreePath;
import org.treerename.store.NoAnswerException;
import org.treerename.store.RefusedException;
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
    void treats_a_refresh_that_missed_an_index_as_no_answer() {
        ofNode = GoodNode.copies("copy-1", "copy-2");
        ofNode.path("shards").path(0).forEach(copy -> ((ObjectNode) copy).put("state", "STARTED"));

        assertThatThrownBy(this::scan)
                .isInstanceOf(NoAnswerException.class)
                .hasMessageStartingWith("a refresh of files-1 has not reached all 2 copies");
    }

    @Test
    void treats_a_search_that_missed_an_index_as_no_answer() {
        for (JsonNode list : List.of(ofMaster, ofNode)) {
            ((ObjectNode) list.path("shards").path(0).path(1)).put("shard", 1);
        }

        assertThatThrownBy(this::scan)
                .isInstanceOf(NoAnswerException.class)
                .hasMessage("the indices behind files-1 have changed during a search");
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

    @ParameterizedTest
    @CsvSource({"index_not_found_exception,true", "other,false"})
    void only_elasticsearch_says_that_an_index_does_not_exist(String type, boolean isRefused) {
        try (StubNode other = StubNode.answering(
                        request -> new StubNode.Answer(404, "{\"error\":{\"type\":\"" + type + "\"}}"));
                Elastic client = Elastic.connect(Elastic.Settings.of(other.url(), Duration.ofSeconds(10)))) {
            ElasticTreeStore tree = new ElasticTreeStore(client, ElasticTreeStore.Limits.DEFAULT);

            assertThatThrownBy(() -> tree.indices(FILES))
                    .isInstanceOf(isRefused ? RefusedException.class : NoAnswerException.class);
            assertThatThrownBy(() -> tree.scan(FILES, new TreePath("/a"), Reach.AT))
                    .isInstanceOf(isRefused ? RefusedException.class : NoAnswerException.class);
        }
    }
}
