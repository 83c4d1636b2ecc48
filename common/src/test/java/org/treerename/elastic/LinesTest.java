package org.treerename.elastic;

import static org.assertj.core.api.Assertions.assertThat;

import co.elastic.clients.elasticsearch.core.bulk.BulkOperation;
import co.elastic.clients.util.BinaryData;
import co.elastic.clients.util.ContentType;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class LinesTest {

    private static String sent(Lines lines) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        lines.entity(org.apache.hc.core5.http.ContentType.APPLICATION_JSON).writeTo(out);
        assertThat(lines.size()).isEqualTo(out.size());
        return out.toString(StandardCharsets.UTF_8);
    }

    private static Lines write(String id, String document) {
        BinaryData bytes = BinaryData.of(document.getBytes(StandardCharsets.UTF_8), ContentType.APPLICATION_JSON);
        Lines lines = new Lines();
        lines.add(BulkOperation.of(
                operation -> operation.index(index -> index.id(id).document(bytes))));
        return lines;
    }

    @Test
    void sends_the_bytes_of_a_document_unchanged() throws IOException {
        String document = "{ \"b\":1.0e1, \"a\" : \"\u00e4\\u00e4\",\"b\":[ ] }";
        Lines lines = write("1", document);
        lines.add(write("2", "{}"));

        assertThat(sent(lines))
                .isEqualTo("{\"index\":{\"_id\":\"1\"}}\n" + document + "\n{\"index\":{\"_id\":\"2\"}}\n{}\n");
    }

    /** A path may contain a lone surrogate, which UTF-8 cannot encode. */
    @Test
    void sends_all_other_text_as_ascii() throws IOException {
        String text = "\u00e4\ud800";

        assertThat(sent(write(text, "{}"))).isEqualToIgnoringCase("{\"index\":{\"_id\":\"\\u00E4\\uD800\"}}\n{}\n");
        assertThat(new String(TypedJson.bytes(Queries.term("path", text)), StandardCharsets.UTF_8))
                .containsIgnoringCase("\\u00E4\\uD800");
    }
}
