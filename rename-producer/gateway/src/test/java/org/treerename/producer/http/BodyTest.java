package org.treerename.producer.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.treerename.http.Caller;
import org.treerename.namespace.Namespace;
import org.treerename.producer.http.Body.Asking;
import org.treerename.request.OnExisting;
import org.treerename.request.ParsedRequest.RenameRequest;
import org.treerename.store.NoAnswerException;

class BodyTest {

    private static final Namespace FILES = Namespace.ofFiles("files", "files");

    private final Body body = new Body(Map.of("files", FILES), name -> {
        assertThat(Namespace.isName(name))
                .as("Body looks up only valid names, but looked up %s", name)
                .isTrue();
        if (name.equals("unavailable")) {
            throw new NoAnswerException("no answer", null);
        }
        return name.equals("stored") ? Optional.of(Namespace.ofFiles("stored", "stored")) : Optional.empty();
    });

    @Test
    void accepts_only_defined_namespaces_if_the_gateway_has_a_file() {
        for (String accepted : List.of("files", "stored", "unavailable")) {
            assertThatNoException().as(accepted).isThrownBy(() -> body.requireNamespace(accepted));
        }
        for (String refused : List.of("flies", "No Name")) {
            assertThatThrownBy(() -> body.requireNamespace(refused))
                    .isInstanceOfSatisfying(
                            ProblemException.class,
                            problem -> assertThat(problem.answer().status()).isEqualTo(400))
                    .hasMessage("no namespace has the name " + refused + "; GET /v1/namespaces lists the names");
        }
    }

    @Test
    void accepts_each_namespace_if_the_gateway_has_no_file() {
        Body withoutFile = new Body(Map.of(), name -> Optional.empty());

        assertThatNoException().isThrownBy(() -> withoutFile.requireNamespace("flies"));
    }

    private Asking read(String json) {
        return body.read(json.getBytes(StandardCharsets.UTF_8), new Body.From(null, () -> "new", "me"));
    }

    @Test
    void reads_every_field() {
        Asking asking = read("""
                {"request_id": "r", "namespace": "files", "source": "/a", "destination": "/b", "on_existing": "replace",
                 "requested_by": "you", "version": 17, "after": ["p", "q"]}""");

        assertThat(asking)
                .isEqualTo(new Asking(
                        new RenameRequest("r", "files", "/a", "/b", OnExisting.REPLACE, "me for you").withVersion(17),
                        List.of("p", "q")));
    }

    @Test
    void fills_missing_fields_with_defaults() {
        Asking asking =
                read("{\"namespace\": \"files\", \"source\": \"/a\", \"destination\": \"/b\", \"requested_by\": null}");

        assertThat(asking)
                .isEqualTo(new Asking(new RenameRequest("new", "files", "/a", "/b", OnExisting.FAIL, "me"), List.of()));
    }

    @Test
    void a_caller_without_a_name_may_name_the_requester() {
        String json = "{\"namespace\":\"files\",\"source\":\"/a\",\"destination\":\"/b\",\"requested_by\":\"you\"}";

        assertThat(body.read(json.getBytes(StandardCharsets.UTF_8), new Body.From(null, () -> "new", Caller.ANONYMOUS))
                        .request()
                        .requestedBy())
                .isEqualTo("you");
        assertThat(read(json.replace("you", "me")).request().requestedBy()).isEqualTo("me");
    }

    @ParameterizedTest
    @CsvSource(quoteCharacter = '`', delimiter = '|', textBlock = """
        namespace    | 1
        namespace    | `"\\ud800"`
        source       | null
        source       | `"a"`
        source       | `"/"`
        source       | `"/a/../b"`
        source       | `"\\udc00"`
        destination  | []
        destination  | `"/b/"`
        on_existing  | `"never"`
        requested_by | 7
        requested_by | `"\\ud800"`
        version      | 0
        version      | 1.5
        after        | `"r"`
        after        | [1]
        after        | `["r"]`
        after        | `[""]`
        request_id   | 1
        request_id   | null
        request_id   | `""`
        request_id   | `"a\\nb"`
        replay_of    | `"r"`
        on_exising   | `"fail"`
        """)
    void refuses_a_wrong_field_and_names_it(String field, String value) throws IOException {
        String json = "{\"request_id\":\"r\",\"namespace\":\"files\",\"source\":\"/a\",\"destination\":\"/b\"}";
        String known = json.replaceAll("\"" + field + "\":\"[^\"]*\",?", "").replace(",}", "}");

        JsonNode problem =
                problem(known.replace("}", (known.equals("{}") ? "" : ",") + "\"" + field + "\":" + value + "}"));

        assertThat(problem.path("status").asInt()).isEqualTo(400);
        assertThat(problem.path("field").textValue()).as(problem.toString()).isEqualTo(field);
    }

    @ParameterizedTest
    @CsvSource(quoteCharacter = '`', delimiter = '|', textBlock = """
        ``
        []
        null
        {
        {}{}
        {"source":"/a","source":"/b"}
        """)
    void names_no_field_if_the_body_is_no_object(String json) throws IOException {
        assertThat(problem(json).has("field")).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"terms", "no name of a namespace"})
    void the_worker_checks_the_paths_of_a_namespace_that_is_not_known_here(String namespace) {
        Asking asking = read("{\"namespace\": \"" + namespace + "\", \"source\": \"a.b\", \"destination\": \"c\"}");

        assertThat(asking.request().source()).isEqualTo("a.b");
    }

    private JsonNode problem(@Nullable String json) throws IOException {
        ProblemException problem = catchThrowableOfType(ProblemException.class, () -> read(json == null ? "" : json));
        return Json.read(problem.answer().bytes());
    }
}
