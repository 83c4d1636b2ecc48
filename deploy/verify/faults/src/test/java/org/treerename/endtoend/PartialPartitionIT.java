package org.treerename.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.treerename.elastic.Elastic;
import org.treerename.elastic.ElasticTreeStore;
import org.treerename.namespace.Namespace;
import org.treerename.request.OnExisting;
import org.treerename.store.NoAnswerException;
import org.treerename.tree.Rename;

/**
 * Cuts off the connection between the master and a node with a copy of a shard. The node still reaches the primary. A
 * refresh through this node succeeds, because the primary refreshes the remaining copies. A local search at this node
 * reads the node's own copy, although the master has removed this copy from the shard. A read of the indices at a node
 * that is cut off shows an index that was deleted.
 *
 * <p>This test belongs to {@code -Pfull}, because three nodes need 50 seconds of processor time to start. By default
 * {@code ShardCopiesTest} and the simulation contain nodes that search removed copies.
 */
@Tag("full")
final class PartialPartitionIT {

    private static final String INDEX = "partial-partition";
    private static final String AGAIN = "created-again";
    private static final String MAPPING = """
            {"mappings":{"dynamic":false,"properties":{"path":{"type":"keyword"},"type":{"type":"keyword"}}}}""";
    private static final Namespace FILES = Namespace.ofFiles(INDEX, INDEX);
    private static final Duration TIMEOUT = Duration.ofSeconds(20);
    private static final String QUERY = "{\"query\":{\"term\":{\"path\":\"/a\"}}}";

    @TempDir
    private static Path folder;

    private static ElasticsearchCluster cluster;

    @BeforeAll
    static void start() throws IOException {
        cluster = ElasticsearchCluster.start(folder);
    }

    @AfterAll
    static void stop() {
        cluster.close();
    }

    @Test
    void does_not_search_a_removed_copy_of_a_node_whose_refresh_succeeds() {
        String master = cluster.master();
        ClusterNode primary = cluster.nodes().stream()
                .filter(node -> !node.name().equals(master))
                .findFirst()
                .orElseThrow();
        createIndexAt(primary);
        ClusterNode cutOff = cluster.nodes().stream()
                .filter(node -> node != primary && !node.name().equals(master))
                .findFirst()
                .orElseThrow();
        assertThat(documentsReadAt(cutOff)).isZero();

        cluster.expectFaultOf(cutOff);
        cluster.cutOffFromAllBut(cutOff, primary);
        cluster.awaitTwo();
        JsonNode written = primary.http().post("/" + INDEX + "/_doc?refresh=true", """
                {"path":"/a","parent":"/","name":"a","type":"file"}""");
        assertThat(written.path("_shards").path("failed").asInt(-1))
                .as("%s", written)
                .isZero();

        assertThat(documentsReadAt(primary)).isOne();
        JsonNode refreshed = cutOff.http().post("/" + INDEX + "/_refresh", "");
        assertThat(refreshed.path("_shards").path("failed").asInt(-1))
                .as("%s", refreshed)
                .isZero();
        assertThat(hits(cutOff.http().post("/" + INDEX + "/_search?preference=_local", QUERY)))
                .isZero();
        assertThatThrownBy(() -> documentsReadAt(cutOff)).isInstanceOf(NoAnswerException.class);

        cluster.heal();
        cluster.awaitWhole();
        assertThat(documentsReadAt(cutOff)).isOne();
    }

    @Test
    void compares_no_indices_at_a_node_that_does_not_know_that_an_index_was_created_again() {
        String master = cluster.master();
        ClusterNode cutOff = cluster.nodes().stream()
                .filter(node -> !node.name().equals(master))
                .findFirst()
                .orElseThrow();
        cluster.http().put("/" + AGAIN, MAPPING);
        cluster.awaitWhole();
        Map<String, String> before = indicesReadAt(cutOff);

        cluster.expectFaultOf(cutOff);
        cluster.cutOff(cutOff);
        cluster.awaitTwo();
        cluster.http().send("DELETE", "/" + AGAIN, "");
        cluster.http().put("/" + AGAIN, MAPPING);
        assertThat(cutOff.http()
                        .get("/" + AGAIN)
                        .path(AGAIN)
                        .path("settings")
                        .path("index")
                        .path("uuid")
                        .asText())
                .isEqualTo(before.get(AGAIN));
        assertThatThrownBy(() -> indicesReadAt(cutOff)).isInstanceOf(NoAnswerException.class);

        cluster.heal();
        cluster.awaitWhole();
        assertThat(indicesReadAt(cutOff)).isNotEqualTo(before).containsOnlyKeys(AGAIN);
    }

    private static Map<String, String> indicesReadAt(ClusterNode node) {
        try (Elastic elastic = Elastic.connect(Elastic.Settings.of(node.url(), TIMEOUT))) {
            return new ElasticTreeStore(elastic, ElasticTreeStore.Limits.DEFAULT)
                    .indices(Namespace.ofFiles(AGAIN, AGAIN));
        }
    }

    private static void createIndexAt(ClusterNode node) {
        cluster.http().put("/" + INDEX, """
                {"settings":{"number_of_shards":1,"number_of_replicas":0,"index.routing.allocation.require._name":"%s"},
                 "mappings":{"dynamic":false,"properties":{"path":{"type":"keyword"},"type":{"type":"keyword"}}}}\
                """.formatted(node.name()));
        cluster.http().put("/" + INDEX + "/_settings", """
                {"index.routing.allocation.require._name":null,"index.auto_expand_replicas":"0-all"}""");
        cluster.awaitWhole();
        assertThat(cluster.primaryOf(INDEX)).isSameAs(node);
    }

    private static int hits(JsonNode found) {
        return found.path("hits").path("total").path("value").asInt(-1);
    }

    /**
     * Returns the number of documents that a worker reads at the path {@code /a} if the worker knows only this node.
     */
    private static int documentsReadAt(ClusterNode node) {
        Rename rename = new Rename(
                "r",
                FILES,
                new org.treerename.path.TreePath("/a"),
                new org.treerename.path.TreePath("/b"),
                OnExisting.FAIL);
        try (Elastic elastic = Elastic.connect(Elastic.Settings.of(node.url(), TIMEOUT))) {
            return new ElasticTreeStore(elastic, ElasticTreeStore.Limits.DEFAULT)
                    .examine(rename)
                    .own()
                    .size();
        }
    }
}
