package org.treerename.benchmark;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.treerename.benchmark.TreeDocuments.Kind;

class TreeDocumentsTest {

    @Test
    void a_usual_file_has_about_300_bytes() {
        assertThat(bytes(Kind.USUAL)).isBetween(250, 350);
    }

    @Test
    void a_small_file_has_about_100_bytes() {
        assertThat(bytes(Kind.SMALL)).isBetween(80, 120);
    }

    @Test
    void both_sizes_have_the_fields_of_a_path() {
        for (Kind kind : Kind.values()) {
            ObjectNode document = new TreeDocuments(kind, new Random(1)).directory("/tree/a");

            assertThat(document.path("path").asText()).isEqualTo("/tree/a");
            assertThat(document.path("parent").asText()).isEqualTo("/tree");
            assertThat(document.path("name").asText()).isEqualTo("a");
            assertThat(document.path("type").asText()).isEqualTo("directory");
        }
    }

    private static int bytes(Kind kind) {
        String path = "/tree/here/" + kind.directory(54_300) + "/" + kind.file(54_321);
        return Es.text(new TreeDocuments(kind, new Random(1)).file(path)).getBytes(StandardCharsets.UTF_8).length;
    }
}
