package org.treerename.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.treerename.testservers.TestServers;

/** Tests that a rename changes only the path fields of a document. */
final class UnchangedDocumentsIT {

    private static final JsonMapper EXACT = JsonMapper.builder()
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
            .build();

    /** The other fields of documents below {@code /a}. {@link #document} adds path, parent, name and type. */
    private static final String[] DOCUMENTS = {
        """
        "nested":{"a":[1,{"b":null,"path":"/a/inner","c":[[],{}]}],"d":{"e":{"f":"g"}}}""", """
        "integer":1234567890123456789012345678901234567890,"small":-0,"long":9223372036854775808""", """
        "float":1.10,"exponent":1.0E+2,"tiny":1e-400,"many":0.1000000000000000055511151231257827021181583404541015625""", """
        "date":"2026-02-29T25:61:00","millis":1700000000000,"when":["2020-01-01",null]""", """
        "nothing":null,"empty":"","list":[null,null],"object":{}""", """
        "unknown":{"to the mapping":true},"with.dots":1,"size":7,"tags":["x","x"]""", """
        "emoji":"\ud83d\ude00","text":"caf\\u00e9 caf\u00e9 \\ud83d\\ude00 \\/ \\\\ \\n", "last":0""",
    };

    @Test
    void keeps_source_routing_and_index_of_each_document() throws Exception {
        Log log = Log.open();
        Tree tree = Tree.create().directories("/a").index();
        Es.put(
                "/_ingest/pipeline/spoil-" + tree.name(),
                "{\"processors\":[{\"set\":{\"field\":\"spoilt\",\"value\":true}}]}");
        for (int i = 0; i < DOCUMENTS.length; i++) {
            put(tree.name() + "/_doc/doc-" + i + "?routing=r" + i, document(i));
        }
        Es.put("/" + tree.name() + "/_settings", "{\"index.default_pipeline\":\"spoil-" + tree.name() + "\"}");
        Map<String, JsonNode> before = hits(tree.name());

        ObjectNode request = Requests.rename(tree.name(), "/a", "/b \"quoted\" \u00fc\ud83d\ude00");
        try (Workers workers = Workers.start(1)) {
            log.send(0, request.toString());
            assertThat(log.outcome(Requests.id(request)).path("moved").asInt())
                    .as("number of documents that %s moved", workers.processes())
                    .isEqualTo(DOCUMENTS.length + 1);
        }
        log.close();

        Map<String, JsonNode> after = hits(tree.name());
        assertThat(after.keySet()).isEqualTo(before.keySet());
        before.forEach((id, hit) -> {
            ObjectNode expected = hit.deepCopy();
            ObjectNode source = (ObjectNode) expected.path("_source");
            String path = source.path("path").asText().replaceFirst("^/a", "/b \"quoted\" \u00fc\ud83d\ude00");
            source.put("path", path);
            source.put("parent", path.lastIndexOf('/') == 0 ? "/" : path.substring(0, path.lastIndexOf('/')));
            source.put("name", path.substring(path.lastIndexOf('/') + 1));
            assertThat(after.get(id)).isEqualTo(expected);
        });
    }

    /** Returns a document as JSON with line breaks and irregular spaces, as if a person had written it. */
    private static String document(int i) {
        return "{\n  \"path\": \"/a/doc-%d\",\r\n  \"type\" : \"file\", \"parent\":\"/a\",\"name\":\"doc-%d\",\n %s\n}\n"
                .formatted(i, i, DOCUMENTS[i]);
    }

    private static void put(String path, String body) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(TestServers.elasticsearchUrl() + "/" + path))
                .header("Content-Type", "application/json")
                .PUT(BodyPublishers.ofString(body))
                .build();
        int status = HttpClient.newHttpClient()
                .send(request, BodyHandlers.discarding())
                .statusCode();
        assertThat(status).isEqualTo(201);
    }

    /** Returns index, id, routing and {@code _source} of every document, by id. Numbers keep all their digits. */
    private static Map<String, JsonNode> hits(String index) throws IOException, InterruptedException {
        Es.post("/" + index + "/_refresh", "");
        HttpRequest request = HttpRequest.newBuilder(
                        URI.create(TestServers.elasticsearchUrl() + "/" + index + "/_search?size=100"))
                .build();
        String body = HttpClient.newHttpClient()
                .send(request, BodyHandlers.ofString())
                .body();
        Map<String, JsonNode> hits = new TreeMap<>();
        for (JsonNode hit : EXACT.readTree(body).path("hits").path("hits")) {
            ((ObjectNode) hit).remove("_score");
            hits.put(hit.path("_id").asText(), hit);
        }
        return hits;
    }
}
