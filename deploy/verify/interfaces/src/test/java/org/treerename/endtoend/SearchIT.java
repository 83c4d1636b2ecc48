package org.treerename.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests searches through a real gateway by a caller that may read only one namespace. */
final class SearchIT {

    private static final String TOKEN = "0123456789abcdef";

    private static Path tokens;
    private static Path key;
    private static Tree tree;
    private static String secret;
    private static Log log;
    private static GatewayProcess gateway;

    @BeforeAll
    static void start(@TempDir Path folder) throws IOException {
        tree = Tree.create();
        // creates the topics
        log = Log.open();
        JsonNode mapped = Es.put("/" + tree.name() + "/_mapping", """
            {"properties":{"point":{"type":"geo_point"},"text":{"type":"text"},"more":{"type":"text"},
              "parts":{"type":"nested"},"join":{"type":"join","relations":{"parent":"child"}}}}\
            """);
        assertThat(mapped.path("acknowledged").asBoolean())
                .as(mapped.toString())
                .isTrue();
        tree.directories("/a").files("/a/1", "/a/2").index();
        secret = "secret-" + UUID.randomUUID();
        Es.put("/" + secret + "/_doc/1?refresh=true", "{\"paths\":[\"/a/1\"]}");
        Es.put(
                "/shapes/_doc/" + secret + "?refresh=true",
                "{\"shape\":{\"type\":\"envelope\",\"coordinates\":[[0,1],[1,0]]}}");
        tokens = Files.writeString(folder.resolve("tokens"), "reader:" + TOKEN + ":read@" + tree.name());
        key = Files.writeString(folder.resolve("key"), "0".repeat(64));
        gateway = GatewayProcess.start("--http-token-file=" + tokens, "--http-page-key-file=" + key);
    }

    @AfterAll
    static void stop() {
        gateway.close();
        log.close();
    }

    private static HttpResponse<String> search(String query) {
        return search(gateway, "{\"path\":\"/\",\"query\":" + query + "}");
    }

    private static HttpResponse<String> search(GatewayProcess at, String body) {
        return at.send(at.to("/v1/namespaces/" + tree.name() + "/search")
                .header("Content-Type", "application/json")
                .header("Authorization", "Bearer " + TOKEN)
                .POST(BodyPublishers.ofString(body)));
    }

    private static String wrapper(String query) {
        String encoded = Base64.getEncoder().encodeToString(query.getBytes(StandardCharsets.UTF_8));
        return "{\"wrapper\":{\"query\":\"" + encoded + "\"}}";
    }

    @Test
    void refuses_queries_that_read_another_index_or_run_a_script() {
        String lookup = "{\"terms\":{\"path\":{\"index\":\"" + secret + "\",\"id\":\"1\",\"path\":\"paths\"}}}";
        String yaml = "terms:\n  path:\n    index: " + secret + "\n    id: \"1\"\n    path: paths\n";
        String script = "{\"script\":{\"script\":\"doc['path'].value == '/a/1'\"}}";
        String shape = "{\"geo_shape\":{\"place\":{\"indexed_shape\":{\"id\":\"" + secret + "\"}}}}";
        String like = "{\"more_like_this\":{\"fields\":[\"text\"],\"like\":[{\"_index\":\"" + secret
                + "\",\"_id\":\"1\"}],\"min_term_freq\":1,\"min_doc_freq\":1}}";
        for (String query : List.of(
                lookup,
                wrapper(lookup),
                "{\"bool\":{\"filter\":[" + wrapper(lookup) + "]}}",
                wrapper(wrapper(lookup)),
                wrapper(yaml),
                script,
                wrapper(script),
                shape,
                shape.replace("{\"indexed", "[{\"indexed").replace("}}}}", "}}]}}"),
                wrapper(shape),
                like,
                wrapper(like))) {
            HttpResponse<String> answer = search(query);
            assertThat(answer.statusCode()).as(query + ": " + answer.body()).isEqualTo(400);
            assertThat(GatewayProcess.json(answer).path("field").asText()).isEqualTo("query");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"bool\":{\"must\":{\"match_all\":{}},\"must_not\":[{\"match_none\":{}}],\"should\":[],\"filter\":[]}}",
                "{\"boosting\":{\"positive\":{\"match_all\":{}},\"negative\":{\"match_none\":{}},\"negative_boost\":0.5}}",
                "{\"constant_score\":{\"filter\":{\"exists\":{\"field\":\"path\"}}}}",
                "{\"dis_max\":{\"queries\":[{\"ids\":{\"values\":[\"1\"]}},{\"match_all\":{}}],\"tie_breaker\":0.1}}",
                "{\"nested\":{\"path\":\"parts\",\"query\":{\"match_all\":{}},\"score_mode\":\"none\"}}",
                "{\"parent_id\":{\"type\":\"child\",\"id\":\"1\"}}",
                "{\"term\":{\"path\":{\"value\":\"/A/1\",\"case_insensitive\":true}}}",
                "{\"terms\":{\"path\":[\"/a/1\"],\"boost\":1}}",
                "{\"fuzzy\":{\"path\":{\"value\":\"/a/3\",\"fuzziness\":1}}}",
                "{\"prefix\":{\"path\":\"/a\"}}",
                "{\"range\":{\"path\":{\"gte\":\"/a\"}}}",
                "{\"regexp\":{\"path\":{\"value\":\"/a/.\"}}}",
                "{\"wildcard\":{\"path\":\"*1\"}}",
                "{\"match\":{\"text\":{\"query\":\"a\",\"fuzziness\":\"AUTO\"}}}",
                "{\"match_bool_prefix\":{\"text\":\"a b\"}}",
                "{\"match_phrase\":{\"text\":\"a b\"}}",
                "{\"match_phrase_prefix\":{\"text\":\"a b\"}}",
                "{\"multi_match\":{\"query\":\"a\",\"fields\":[\"text\",\"more\"]}}",
                "{\"combined_fields\":{\"query\":\"a\",\"fields\":[\"text\",\"more\"]}}",
                "{\"query_string\":{\"query\":\"text:a* OR path:\\\"/a/1\\\"\"}}",
                "{\"simple_query_string\":{\"query\":\"a + b\",\"fields\":[\"text\"]}}",
                "{\"geo_bounding_box\":{\"point\":{\"top_left\":{\"lat\":1,\"lon\":0},\"bottom_right\":{\"lat\":0,\"lon\":1}}}}",
                "{\"geo_distance\":{\"distance\":\"1km\",\"point\":{\"lat\":1,\"lon\":0}}}",
                "{\"span_containing\":{\"big\":{\"span_or\":{\"clauses\":[{\"span_term\":{\"text\":\"a\"}}]}},"
                        + "\"little\":{\"span_term\":{\"text\":\"a\"}}}}",
                "{\"span_within\":{\"big\":{\"span_first\":{\"match\":{\"span_term\":{\"text\":\"a\"}},\"end\":3}},"
                        + "\"little\":{\"span_term\":{\"text\":\"a\"}}}}",
                "{\"span_near\":{\"clauses\":[{\"span_term\":{\"text\":\"a\"}},{\"span_gap\":{\"text\":1}},"
                        + "{\"field_masking_span\":{\"query\":{\"span_term\":{\"more\":\"b\"}},\"field\":\"text\"}}],"
                        + "\"slop\":0,\"in_order\":true}}",
                "{\"span_not\":{\"include\":{\"span_term\":{\"text\":\"a\"}},\"exclude\":{\"span_term\":{\"text\":\"b\"}}}}",
                "{\"span_multi\":{\"match\":{\"prefix\":{\"text\":\"a\"}}}}",
                "{\"intervals\":{\"text\":{\"all_of\":{\"ordered\":true,\"intervals\":[{\"match\":{\"query\":\"a b\","
                        + "\"filter\":{\"not_containing\":{\"match\":{\"query\":\"c\"}}}}},"
                        + "{\"any_of\":{\"intervals\":[{\"prefix\":{\"prefix\":\"d\"}},{\"wildcard\":{\"pattern\":\"e*\"}},"
                        + "{\"fuzzy\":{\"term\":\"f\"}}]}}]}}}}"
            })
    void answers_queries_of_the_allowed_types(String query) {
        HttpResponse<String> answer = search(query);

        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        JsonNode hits = GatewayProcess.json(answer).path("hits");
        assertThat(hits.isArray()).isTrue();
    }

    @Test
    void a_page_continues_at_a_gateway_with_the_same_key() {
        JsonNode first = GatewayProcess.json(search(gateway, "{\"path\":\"/\",\"limit\":1}"));
        String second = "{\"path\":\"/\",\"after\":\"" + first.path("next").asText() + "\"}";

        try (GatewayProcess same = GatewayProcess.start("--http-token-file=" + tokens, "--http-page-key-file=" + key);
                GatewayProcess other = GatewayProcess.start("--http-token-file=" + tokens)) {
            HttpResponse<String> refused = search(other, second);
            HttpResponse<String> answered = search(same, second);

            assertThat(refused.statusCode()).isEqualTo(400);
            assertThat(answered.statusCode()).as(answered.body()).isEqualTo(200);
            assertThat(GatewayProcess.json(answered).path("hits")).hasSize(2);
        }
    }

    @Test
    void parallel_searches_with_large_answers_do_not_stop_a_gateway_with_little_memory() throws Exception {
        Tree large = Tree.createWithoutDirectories();
        String text = "x".repeat(1_000_000);
        for (int i = 0; i < 20; i++) {
            Es.put("/" + large.name() + "/_doc/" + i, "{\"path\":\"/" + i + "\",\"text\":\"" + text + "\"}");
        }
        Es.post("/" + large.name() + "/_refresh", "");
        Map<Integer, Integer> statuses = new ConcurrentSkipListMap<>();
        // the heap of this gateway has 256 MB
        try (GatewayProcess small = GatewayProcess.start("--http-searches=40");
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> searches = new ArrayList<>();
            for (int i = 0; i < 40; i++) {
                searches.add(threads.submit(
                        () -> statuses.merge(searchOf(large, small).statusCode(), 1, Integer::sum)));
            }
            for (Future<?> search : searches) {
                search.get();
            }

            assertThat(statuses.keySet()).as(statuses.toString()).contains(200).isSubsetOf(200, 503);
            // Elasticsearch may still work on the searches above, and the gateway then asks the client to try again
            Awaitility.await("the gateway answers one search again")
                    .atMost(Duration.ofMinutes(1))
                    .pollInterval(Duration.ofSeconds(1)) // the delay that the gateway asks for
                    .untilAsserted(() -> {
                        HttpResponse<String> after = searchOf(large, small);
                        assertThat(after.statusCode()).as(after.body()).isEqualTo(200);
                        assertThat(GatewayProcess.json(after).path("hits")).hasSize(20);
                    });
            assertThat(small.log()).doesNotContain("OutOfMemoryError");
        }
    }

    private static HttpResponse<String> searchOf(Tree large, GatewayProcess at) {
        return at.send(at.to("/v1/namespaces/" + large.name() + "/search")
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString("{\"path\":\"/\"}")));
    }
}
