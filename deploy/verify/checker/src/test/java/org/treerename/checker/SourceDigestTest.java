package org.treerename.checker;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonParser;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.treerename.namespace.Namespace;

class SourceDigestTest {

    private static SourceDigest of(String json) throws IOException {
        return of(json, Trees.FILES);
    }

    private static SourceDigest of(String json, Namespace namespace) throws IOException {
        try (JsonParser parser = ElasticsearchHttp.MAPPER.createParser(json)) {
            parser.nextToken();
            return SourceDigest.of(parser, namespace);
        }
    }

    @Test
    void reads_the_path_fields_and_leaves_them_out_of_the_digest() throws IOException {
        SourceDigest one = of("""
                {"path":"/a/x","parent":"/a","name":"x","type":"directory","size":1}""");
        SourceDigest other = of("""
                { "path": "/b/z", "parent": "/b", "name": "z", "type": "directory", "size": 1 }""");

        assertThat(one).isEqualTo(new SourceDigest("/a/x", "/a", "x", true, other.digest()));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"n\":1}|{\"n\":1.0}",
                "{\"n\":1.0}|{\"n\":1.00}",
                "{\"n\":12345678901234567890123}|{\"n\":12345678901234567890124}",
                "{\"n\":null}|{}",
                "{\"n\":\"1\"}|{\"n\":1}",
                "{\"n\":[1,2]}|{\"n\":[[1],2]}",
                "{\"a\":1,\"b\":2}|{\"b\":2,\"a\":1}",
                "{\"n\":{\"path\":\"/a\"}}|{\"n\":{\"path\":\"/b\"}}",
                "{\"path\":1}|{\"path\":2}",
                "{\"t\":\"é\"}|{\"t\":\"e\u0301\"}",
            })
    void every_other_change_changes_the_digest(String one, String other) throws IOException {
        assertThat(of(one).digest()).isNotEqualTo(of(other).digest());
    }

    @Test
    void a_path_field_may_be_nested_in_an_object() throws IOException {
        Namespace nested = new Namespace("n", "n", "file.path", null, null, null);

        SourceDigest one = of("{\"file\":{\"path\":\"/a\",\"size\":1}}", nested);
        SourceDigest other = of("{\"file\":{\"path\":\"/b\",\"size\":1}}", nested);

        assertThat(one).isEqualTo(new SourceDigest("/a", null, null, false, other.digest()));
    }
}
