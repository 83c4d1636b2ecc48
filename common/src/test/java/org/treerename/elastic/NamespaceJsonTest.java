package org.treerename.elastic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.treerename.namespace.Namespace;
import org.treerename.store.RefusedException;

class NamespaceJsonTest {

    private static final String FIRST = """
            {"kind": "namespace", "protocol": 1, "namespace": "files",
             "definition": {"index": "files", "path_field": "path", "parent_field": "parent", "name_field": "name",
               "directory_field": "type", "directory_value": "directory"}}""";

    private static JsonNode json(String text) {
        return Json.read(text.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void reads_a_definition_of_the_first_form_as_files_with_slashes() {
        assertThat(NamespaceJson.read(json(FIRST))).isEqualTo(Namespace.ofFiles("files", "files"));
    }

    @Test
    void writes_a_definition_with_a_digest_of_its_content() {
        Namespace files = Namespace.ofFiles("files", "files");
        JsonNode written = NamespaceJson.write(files);

        assertThat(NamespaceJson.read(written)).isEqualTo(files);
        assertThat(written.path("digest").asText()).hasSize(64);
        assertThat(NamespaceJson.write(Namespace.ofFiles("files", "other")).path("digest"))
                .isNotEqualTo(written.path("digest"));
    }

    @Test
    void writes_no_version_field_if_there_is_none() {
        assertThat(NamespaceJson.write(Namespace.ofFiles("files", "files"))
                        .path("definition")
                        .has("version_field"))
                .isFalse();
    }

    @Test
    void refuses_a_definition_of_a_later_form_or_with_unknown_values() {
        assertThatThrownBy(() -> NamespaceJson.read(json(FIRST.replace("{\"index\"", "{\"form\": 3, \"index\""))))
                .isInstanceOf(RefusedException.class)
                .hasMessageContaining("format 3");
        assertThatThrownBy(() ->
                        NamespaceJson.read(json(FIRST.replace("{\"index\"", "{\"granularity\": \"leaf\", \"index\""))))
                .isInstanceOf(RefusedException.class)
                .hasMessageContaining("files");
    }
}
