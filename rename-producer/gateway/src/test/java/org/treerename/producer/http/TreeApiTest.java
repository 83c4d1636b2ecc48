package org.treerename.producer.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.treerename.store.NoAnswerException;
import org.treerename.store.RefusedException;

final class TreeApiTest {

    private final OpenGateway gateway = new OpenGateway();

    @BeforeEach
    void fill() {
        for (int i = 1; i <= 5; i++) {
            gateway.trees.points.put("d" + i, "/a/" + i);
        }
        gateway.trees.points.put("deep", "/a/sub/1");
        gateway.trees.points.put("other", "/b");
    }

    @AfterEach
    void close() {
        gateway.close();
    }

    private static JsonNode json(HttpResponse<String> response) throws IOException {
        assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
        return Json.read(response.body().getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void lists_the_children_of_a_path_page_by_page_and_ends_the_view() throws Exception {
        List<String> listed = new ArrayList<>();
        String next = "";
        do {
            JsonNode page = json(gateway.get("/v1/namespaces/files/entries?path=%2Fa&limit=2" + next));
            page.path("entries").forEach(entry -> listed.add(entry.toString()));
            assertThat(page.path("consistent").asBoolean()).isTrue();
            next = page.path("next").isNull()
                    ? ""
                    : "&after=" + page.path("next").asText();
        } while (!next.isEmpty());

        assertThat(listed)
                .hasSize(6)
                .startsWith("{\"path\":\"/a/1\",\"directory\":false,\"documents\":1,\"below\":0}")
                .endsWith("{\"path\":\"/a/sub\",\"directory\":true,\"documents\":0,\"below\":1}");
        assertThat(gateway.trees.points.open()).isZero();
    }

    @ParameterizedTest
    @CsvSource({"at_or_below, 6", "below, 6", "exactly, 0", "directly_below, 5"})
    void finds_documents_in_reach_of_a_path(String reach, int expected) throws Exception {
        JsonNode found = json(gateway.search("{\"path\":\"/a\",\"reach\":\"" + reach + "\"}"));

        assertThat(found.path("hits")).hasSize(expected);
        assertThat(found.path("next").isNull()).isTrue();
    }

    @Test
    void finds_and_counts_documents_that_match_a_query() throws Exception {
        String query = "\"path\":\"/a\",\"query\":{\"ids\":{\"values\":[\"d2\",\"other\"]}}";

        JsonNode found = json(gateway.search("{" + query + "}"));
        JsonNode counted = json(gateway.search("{" + query + ",\"count\":true}"));

        assertThat(found.path("hits").toString())
                .isEqualTo("[{\"path\":\"/a/2\",\"index\":\"files-1\",\"id\":\"d2\",\"source\":{\"path\":\"/a/2\"}}]");
        assertThat(counted.path("count").asInt()).isEqualTo(1);
        assertThat(gateway.trees.points.open()).isZero();
    }

    @Test
    void refuses_a_body_with_too_many_values_or_levels() throws Exception {
        String values = "[" + "[],".repeat(83_000) + "[]]";
        String levels = "[".repeat(101) + "]".repeat(101);

        for (String query : List.of(values, levels)) {
            HttpResponse<String> answer =
                    gateway.search("{\"path\":\"/a\",\"query\":{\"terms\":{\"x\":" + query + "}}}");
            assertThat(answer.statusCode()).isEqualTo(400);
            assertThat(answer.body()).contains("has too many values or levels");
        }
        String ids = "\"d2\"" + ",\"x\"".repeat(20_000);
        assertThat(json(gateway.search("{\"path\":\"/a\",\"query\":{\"ids\":{\"values\":[" + ids + "]}}}"))
                        .path("hits"))
                .hasSize(1);
    }

    @Test
    void a_page_that_failed_can_be_requested_again() throws Exception {
        String query = "\"query\":{\"ids\":{\"values\":[\"d1\",\"d2\"]}}";
        String next = json(gateway.search("{\"path\":\"/a\",\"limit\":1," + query + "}"))
                .path("next")
                .asText();
        String second = "{\"path\":\"/a\"," + query + ",\"after\":\"" + next + "\"}";

        for (RuntimeException failure :
                List.of(new NoAnswerException("not there", null), new ProblemException(Problem.OVERLOADED))) {
            gateway.trees.points.failure = failure;
            assertThat(gateway.search(second).statusCode()).isEqualTo(503);
        }
        gateway.trees.points.failure = null;
        HttpResponse<String> wrong = gateway.search(second.replace("d1", "nonsense"));

        assertThat(wrong.statusCode()).isEqualTo(400);
        assertThat(wrong.body()).contains("\"field\":\"query\"");
        assertThat(json(gateway.search(second)).path("hits")).hasSize(1);
        assertThat(gateway.trees.points.open()).isZero();
    }

    @Test
    void a_list_of_entries_that_elasticsearch_refuses_is_no_wrong_query() throws Exception {
        gateway.trees.points.failure = new RefusedException("POST /_search answered 400: no field");

        assertThat(gateway.get("/v1/namespaces/files/entries?path=%2Fa").statusCode())
                .isEqualTo(503);
    }

    @Test
    void a_page_of_another_path_is_refused() throws Exception {
        String next = json(gateway.search("{\"path\":\"/a\",\"limit\":1}"))
                .path("next")
                .asText();

        HttpResponse<String> other = gateway.search("{\"path\":\"/\",\"after\":\"" + next + "\"}");

        assertThat(other.statusCode()).isEqualTo(400);
        assertThat(other.body()).contains("\"field\":\"after\"");
    }

    @Test
    void a_page_whose_position_the_gateway_has_not_signed_is_refused() throws Exception {
        String next = json(gateway.search("{\"path\":\"/a\",\"limit\":1}"))
                .path("next")
                .asText();
        String unsigned = next.substring(0, next.indexOf('.'));

        assertThat(json(gateway.search("{\"path\":\"/a\",\"after\":\"" + next + "\"}"))
                        .path("hits"))
                .hasSize(5);
        for (String forged : List.of(unsigned, unsigned + ".", PageKeys.random().signed(unsigned))) {
            HttpResponse<String> answer = gateway.search("{\"path\":\"/a\",\"after\":\"" + forged + "\"}");
            assertThat(answer.statusCode()).isEqualTo(400);
            assertThat(answer.body()).contains("\"field\":\"after\"");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"path\":\"a\"} path",
                "{\"path\":1} path",
                "{\"path\":\"/\",\"reach\":\"near\"} reach",
                "{\"path\":\"/\",\"reach\":\"directly_below\",\"count\":true} directory",
                "{\"path\":\"/\",\"limit\":1001} limit",
                "{\"path\":\"/\",\"limit\":\"x\"} limit",
                "{\"path\":\"/\",\"count\":1} count",
                "{\"path\":\"/\",\"after\":\"x\"} after",
                "{\"path\":\"/\",\"after\":1} after",
                "{\"path\":\"/\",\"allow_inconsistent\":\"yes\"} allow_inconsistent",
                "{\"path\":\"/\",\"more\":1} more",
                "{\"path\":\"/\",\"query\":[]} query",
                "{\"path\":\"/\",\"query\":{\"nonsense\":{}}} query",
                "{\"path\":\"/\",\"query\":{\"bool\":{\"filter\":[{\"script\":{}}]}}} the type script"
            })
    void refuses_a_wrong_search(String bodyAndWord) throws Exception {
        int end = bodyAndWord.lastIndexOf('}') + 1;

        HttpResponse<String> answer = gateway.search(bodyAndWord.substring(0, end));

        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(400);
        assertThat(answer.body()).contains(bodyAndWord.substring(end + 1));
        assertThat(gateway.trees.points.open()).isZero();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "path",
                "path=a",
                "path=%2F&x=1",
                "path=%2F&limit=0",
                "path=%2F&after=x",
                "path=%2F&allow_inconsistent=1"
            })
    void refuses_a_wrong_query_of_entries(String query) throws Exception {
        assertThat(gateway.get("/v1/namespaces/files/entries?" + query).statusCode())
                .isEqualTo(400);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/v1/namespaces/files", "/v1/namespaces/files/other", "/v1/namespaces/files/entries/x"})
    void answers_404_for_an_unknown_path(String path) throws Exception {
        assertThat(gateway.get(path).statusCode()).isEqualTo(404);
    }
}
