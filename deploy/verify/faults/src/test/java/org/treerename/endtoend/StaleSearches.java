package org.treerename.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.treerename.elastic.Elastic;
import org.treerename.elastic.ElasticTreeStore;
import org.treerename.namespace.Namespace;
import org.treerename.path.TreePath;
import org.treerename.request.OnExisting;
import org.treerename.tree.Rename;
import org.treerename.tree.TreeStore.Reach;
import org.treerename.tree.TreeStore.Scan;

/**
 * An index with a copy on every node, and one document that is written while one node is cut off. The cut-off node does
 * not have this document, so a search at this node finds nothing at the document's path.
 */
final class StaleSearches {

    private static final String INDEX = "stale-searches";
    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    private static final String MAPPING = """
            {"settings":{"number_of_shards":1,"auto_expand_replicas":"0-all"},
             "mappings":{"dynamic":false,"properties":{"path":{"type":"keyword"},"type":{"type":"keyword"}}}}""";

    private static final String DOCUMENT = "{\"path\":\"%s\",\"parent\":\"/\",\"name\":\"%s\",\"type\":\"file\"}";

    private StaleSearches() {}

    /** Creates the index. Call this method before a node is cut off. */
    static void prepare(Elasticsearch elasticsearch) {
        elasticsearch.put("/" + INDEX, MAPPING);
    }

    /**
     * Writes a document. Asserts that a search at the cut-off node does not find the document. Asserts that a worker
     * with the URLs of several nodes finds the document, in several orders of these URLs.
     */
    static void assertNotTrusted(ClusterNode cutOff, Elasticsearch well) {
        TreePath path = new TreePath("/" + UUID.randomUUID());
        JsonNode written = well.post("/" + INDEX + "/_doc?refresh=true", DOCUMENT.formatted(path.text(), path.name()));
        assertThat(written.path("_shards").path("failed").asInt(-1))
                .as("%s", written)
                .isZero();
        JsonNode found = cutOff.http().post("/" + INDEX + "/_search?preference=_local", """
                        {"query":{"term":{"path":"%s"}}}""".formatted(path.text()));
        assertThat(found.path("hits").path("total").path("value").asInt(-1))
                .as("%s", found)
                .isZero();
        String cutOffAgain = cutOff.url().replace("127.0.0.1", "localhost");
        for (List<String> order : List.of(
                List.of(well.url(), cutOffAgain, cutOff.url()),
                List.of(cutOff.url(), cutOffAgain, well.url()),
                List.of(cutOff.url(), well.url(), cutOffAgain))) {
            assertFound(path, String.join(",", order));
        }
    }

    private static void assertFound(TreePath path, String urls) {
        Namespace files = Namespace.ofFiles(INDEX, INDEX);
        try (Elastic elastic = Elastic.connect(Elastic.Settings.of(urls, TIMEOUT))) {
            ElasticTreeStore tree = new ElasticTreeStore(elastic, new ElasticTreeStore.Limits(10, 1_000));
            assertThat(tree.examine(new Rename("r", files, path, new TreePath("/other"), OnExisting.FAIL))
                            .own())
                    .as("documents that are found with the nodes %s", urls)
                    .hasSize(1);
        }
        try (Elastic elastic = Elastic.connect(Elastic.Settings.of(urls, TIMEOUT))) {
            ElasticTreeStore tree = new ElasticTreeStore(elastic, new ElasticTreeStore.Limits(10, 1_000));
            try (Scan scan = tree.scan(files, path, Reach.AT)) {
                assertThat(scan.nextPage())
                        .as("documents that are found with the nodes %s", urls)
                        .hasSize(1);
            }
        }
    }
}
