package org.treerename.elastic;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.treerename.namespace.Fields;
import org.treerename.namespace.Namespace;
import org.treerename.namespace.Rules;
import org.treerename.path.Notation;
import org.treerename.tree.TreeStore.Scan;

class ElasticTreeSurveyTest {

    @Test
    void requests_only_the_fields_that_are_computed_from_the_path() {
        Fields fields = new Fields(
                "path",
                null,
                Fields.Holds.PATH,
                "parent",
                "name",
                "depth",
                "ancestors",
                List.of("links"),
                List.of("url"));
        Namespace namespace = new Namespace("files", GoodNode.INDEX, Notation.SLASHES, fields, null, Rules.DEFAULT);
        List<StubNode.Request> requests = new CopyOnWriteArrayList<>();
        GoodNode good = new GoodNode(Map.of(), false);
        try (StubNode node = StubNode.answering(request -> {
                    requests.add(request);
                    return good.apply(request);
                });
                Elastic elastic = Elastic.connect(Elastic.Settings.of(node.url(), Duration.ofSeconds(10)));
                Scan scan = new ElasticTreeSurvey(elastic, 10).pathFields(namespace)) {
            assertThat(scan.nextPage()).hasSize(1);
            assertThat(scan.nextPage()).isEmpty();
        }

        assertThat(requests)
                .extracting(request -> request.method() + " " + request.path())
                .containsExactly(
                        "POST /" + GoodNode.INDEX + "/_refresh",
                        "POST /" + GoodNode.INDEX + "/_pit",
                        "POST /_search",
                        "DELETE /_pit");
        JsonNode search = Json.read(requests.get(2).body().getBytes(StandardCharsets.UTF_8));
        assertThat(search.path("_source").path("includes"))
                .extracting(JsonNode::asText)
                .containsExactly("path", "parent", "name", "depth", "ancestors");
        assertThat(search.path("size").asInt()).isEqualTo(10);
    }
}
