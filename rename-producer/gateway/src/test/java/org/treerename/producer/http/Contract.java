package org.treerename.producer.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.InputFormat;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SchemaValidatorsConfig;
import com.networknt.schema.SpecVersion;
import com.networknt.schema.ValidationMessage;
import java.io.InputStream;
import java.net.http.HttpResponse;
import java.util.Set;
import java.util.TreeSet;

/**
 * Checks responses against the OpenAPI document. This class also records which of the described responses a test has
 * received.
 */
final class Contract {

    private final JsonNode document;
    private final Set<String> seen = new TreeSet<>();

    Contract() throws Exception {
        try (InputStream in = Contract.class.getResourceAsStream("openapi.json")) {
            document = Json.read(in == null ? new byte[0] : in.readAllBytes());
        }
    }

    /** Asserts that the document describes this response: its status, its headers and each field of its body. */
    void check(String path, HttpResponse<String> response) {
        String method = response.request().method().toLowerCase(java.util.Locale.ROOT);
        String status = String.valueOf(response.statusCode());
        JsonNode described = resolved(
                document.path("paths").path(path).path(method).path("responses").path(status));
        assertThat(described.isObject())
                .as("%s %s answered %s: %s", method, path, status, response.body())
                .isTrue();
        seen.add(method + " " + path + " " + status);
        described
                .path("headers")
                .fieldNames()
                .forEachRemaining(name -> assertThat(response.headers().firstValue(name))
                        .as("%s of %s %s %s", name, method, path, status)
                        .isPresent());
        String type = response.headers().firstValue("Content-Type").orElse("");
        JsonNode schema = described.path("content").path(type).path("schema");
        assertThat(schema.isObject())
                .as("%s of %s %s %s", type, method, path, status)
                .isTrue();
        if (!type.equals("text/event-stream")) {
            assertThat(problems(schema, response.body()))
                    .as("%s %s %s: %s", method, path, status, response.body())
                    .isEmpty();
        }
    }

    Set<String> problems(String schema, String json) {
        return problems(Json.object().put("$ref", "#/components/schemas/" + schema), json);
    }

    private Set<String> problems(JsonNode schema, String json) {
        ObjectNode whole = Json.object();
        whole.setAll((ObjectNode) schema);
        whole.set("components", document.path("components"));
        SchemaValidatorsConfig config =
                SchemaValidatorsConfig.builder().formatAssertionsEnabled(true).build();
        JsonSchema validator =
                JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V202012).getSchema(whole, config);
        Set<String> problems = new TreeSet<>();
        for (ValidationMessage message : validator.validate(json, InputFormat.JSON)) {
            problems.add(message.getMessage());
        }
        return problems;
    }

    private JsonNode resolved(JsonNode node) {
        return node.has("$ref") ? document.at(node.path("$ref").asText().substring(1)) : node;
    }

    /** Returns the responses that the document describes and that no test has received. */
    Set<String> unseen() {
        Set<String> described = new TreeSet<>();
        document.path("paths")
                .properties()
                .forEach(path -> path.getValue().properties().stream()
                        .filter(method -> method.getValue().has("responses"))
                        .forEach(method -> method.getValue()
                                .path("responses")
                                .fieldNames()
                                .forEachRemaining(status ->
                                        described.add(method.getKey() + " " + path.getKey() + " " + status))));
        described.removeAll(seen);
        return described;
    }
}
