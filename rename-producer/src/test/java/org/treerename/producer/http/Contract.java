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

/** The OpenAPI document, and what of it has been seen. */
final class Contract {

    private final JsonNode document;
    private final Set<String> seen = new TreeSet<>();

    Contract() throws Exception {
        try (InputStream in = Contract.class.getResourceAsStream("openapi.json")) {
            document = Json.read(in == null ? new byte[0] : in.readAllBytes());
        }
    }

    /** An answer is one of those that the document tells, down to each field. */
    void check(String path, HttpResponse<String> response) {
        String method = response.request().method().toLowerCase(java.util.Locale.ROOT);
        String status = String.valueOf(response.statusCode());
        JsonNode told = resolved(
                document.path("paths").path(path).path(method).path("responses").path(status));
        assertThat(told.isObject())
                .as("%s %s answered %s: %s", method, path, status, response.body())
                .isTrue();
        seen.add(method + " " + path + " " + status);
        told.path("headers")
                .fieldNames()
                .forEachRemaining(name -> assertThat(response.headers().firstValue(name))
                        .as("%s of %s %s %s", name, method, path, status)
                        .isPresent());
        String type = response.headers().firstValue("Content-Type").orElse("");
        JsonNode schema = told.path("content").path(type).path("schema");
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

    /** What the document tells and nobody has seen. */
    Set<String> unseen() {
        Set<String> told = new TreeSet<>();
        document.path("paths")
                .properties()
                .forEach(path -> path.getValue().properties().stream()
                        .filter(method -> method.getValue().has("responses"))
                        .forEach(method -> method.getValue()
                                .path("responses")
                                .fieldNames()
                                .forEachRemaining(
                                        status -> told.add(method.getKey() + " " + path.getKey() + " " + status))));
        told.removeAll(seen);
        return told;
    }
}
