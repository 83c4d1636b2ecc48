package org.treerename.elastic;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the proposed changes to a mapping. Other tests apply these changes to a real Elasticsearch. */
final class PathMappingTest {

    private static JsonNode json(String text) {
        return Json.read(text.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
    }

    private static Optional<PathMapping> ofMappings(String field, String... mappings) {
        StringBuilder indices = new StringBuilder("{");
        for (int i = 0; i < mappings.length; i++) {
            indices.append(i == 0 ? "" : ",")
                    .append("'i")
                    .append(i)
                    .append("':{'mappings':")
                    .append(mappings[i])
                    .append('}');
        }
        return PathMapping.of(json(indices + "}"), field);
    }

    private static Optional<PathMapping> of(String path) {
        return ofMappings("path", "{'properties':{'path':" + path + "}}");
    }

    private static String words(Optional<PathMapping> mapping) {
        return mapping.map(found -> found.searched() + " "
                        + found.changes().stream()
                                .map(change -> change.step().name())
                                .collect(Collectors.joining(" ")))
                .orElse("impossible");
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '"',
            value = {
                "{'type':'keyword'}; path NOTHING",
                "{'type':'keyword','ignore_above':8192}; path NOTHING",
                "{'type':'keyword','ignore_above':256}; path RAISE_LIMIT",
                "{'type':'text','fields':{'keyword':{'type':'keyword','ignore_above':256}}}; path.keyword RAISE_LIMIT",
                "{'type':'text','fields':{'keyword':{'type':'keyword'}}}; path.keyword NOTHING",
                "{'type':'text','fields':{'raw':{'type':'keyword'}}}; path.raw NOTHING",
                "{'type':'text','fields':{'keyword':{'type':'keyword','ignore_above':256},'raw':{'type':'keyword'}}}; path.raw NOTHING",
                "{'type':'text'}; path.keyword ADD_SUB_FIELD",
                "{'type':'text','fields':{'keyword':{'type':'text'}}}; path.exact ADD_SUB_FIELD",
                "{'type':'keyword','normalizer':'lowercase'}; path.keyword ADD_SUB_FIELD",
                "{'type':'keyword','index':false}; path.keyword ADD_SUB_FIELD",
                "{'type':'keyword','doc_values':false}; path.keyword ADD_SUB_FIELD",
                "{'type':'text','fields':{'keyword':{'type':'keyword','normalizer':'lowercase'}}}; path.exact ADD_SUB_FIELD",
                "{'type':'wildcard'}; path.keyword ADD_SUB_FIELD",
                "{'type':'long'}; impossible",
                "{'properties':{'a':{'type':'keyword'}}}; impossible",
                "{'type':'nested'}; impossible",
            })
    void chooses_the_smallest_change(String path, String expected) {
        assertThat(words(of(path))).isEqualTo(expected);
    }

    @Test
    void maps_a_field_that_is_not_mapped_or_computed_at_run_time() {
        assertThat(words(ofMappings("path", "{'dynamic':false}"))).isEqualTo("path ADD_FIELD");
        assertThat(words(ofMappings("a.path", "{'properties':{'a':{'type':'text'}}}")))
                .as("a field inside a text")
                .isEqualTo("impossible");
        PathMapping runtime =
                ofMappings("path", "{'runtime':{'path':{'type':'keyword'}}}").orElseThrow();
        assertThat(runtime.changes().getFirst().body())
                .isEqualTo(
                        json("{'properties':{'path':{'type':'keyword','ignore_above':8192}},'runtime':{'path':null}}"));
    }

    @Test
    void the_request_repeats_the_parameters_of_the_field_and_names_only_the_changed_sub_field() {
        PathMapping mapping = ofMappings(
                        "file.path",
                        "{'properties':{'file':{'dynamic':'strict','properties':{'path':{'type':'text','analyzer':'p',"
                                + "'fields':{'tree':{'type':'text'},'keyword':{'type':'keyword','ignore_above':256,"
                                + "'store':true}}}}}}}")
                .orElseThrow();

        assertThat(mapping.keyword()).contains("file.path.keyword");
        assertThat(mapping.changes().getFirst().body())
                .isEqualTo(json("{'properties':{'file':{'properties':{'path':{'type':'text','analyzer':'p','fields':"
                        + "{'keyword':{'type':'keyword','ignore_above':8192,'store':true}}}}}}}"));
    }

    @Test
    void a_field_with_a_dot_in_its_name_remains_one_field() {
        PathMapping mapping = ofMappings("file.path", "{'subobjects':false,'properties':{'file.path':{'type':'text'}}}")
                .orElseThrow();

        assertThat(mapping.changes().getFirst().body().path("properties").has("file.path"))
                .isTrue();
    }

    @Test
    void all_indices_of_an_alias_get_the_same_sub_field() {
        Optional<PathMapping> mapping = ofMappings(
                "path",
                "{'properties':{'path':{'type':'text','fields':{'keyword':{'type':'keyword','ignore_above':256}}}}}",
                "{'properties':{'path':{'type':'text','fields':{'keyword':{'type':'text'},'raw':{'type':'keyword'}}}}}");

        assertThat(words(mapping)).isEqualTo("path.raw ADD_SUB_FIELD NOTHING");
        assertThat(mapping.orElseThrow().changes().getFirst().index()).isEqualTo("i0");
    }

    @Test
    void respects_the_default_limit_of_the_index() {
        JsonNode index = json("{'i':{'mappings':{'properties':{'path':{'type':'keyword'}}},"
                + "'settings':{'index':{'mapping':{'ignore_above':'100'}}}}}");

        assertThat(words(PathMapping.of(index, "path"))).isEqualTo("path RAISE_LIMIT");
    }

    @Test
    void says_the_repair_in_words() {
        assertThat(of("{'type':'text','fields':{'keyword':{'type':'keyword','ignore_above':256}}}")
                        .orElseThrow()
                        .inWords("i0", "path"))
                .isEqualTo("raise ignore_above of path.keyword to 8192 (PUT /i0/_mapping {\"properties\":{\"path\":"
                        + "{\"type\":\"text\",\"fields\":{\"keyword\":{\"type\":\"keyword\",\"ignore_above\":8192}}}}}),"
                        + " index the documents with longer paths again (POST /i0/_update_by_query), and set"
                        + " path_keyword: path.keyword in the definition; rename-admin init i0 --path-field=path prints"
                        + " the requests");
        assertThat(of("{'type':'text','fields':{'keyword':{'type':'keyword'}}}")
                        .orElseThrow()
                        .inWords("i0", "path"))
                .isEqualTo("set path_keyword: path.keyword in the definition; rename-admin init i0 --path-field=path"
                        + " prints the requests");
    }

    @Test
    void a_document_is_hidden_if_it_has_a_path_that_searches_do_not_find() {
        assertThat(PathMapping.hidden("path", "path.keyword"))
                .isEqualTo(json("{'bool':{'minimum_should_match':1,'should':[{'exists':{'field':'path'}},"
                        + "{'term':{'_ignored':'path'}},{'term':{'_ignored':'path.keyword'}}],"
                        + "'must_not':[{'exists':{'field':'path.keyword'}}]}}"));
        assertThat(PathMapping.hidden("path", "path"))
                .isEqualTo(json("{'bool':{'minimum_should_match':1,'should':[{'term':{'_ignored':'path'}}],"
                        + "'must_not':[{'exists':{'field':'path'}}]}}"));
    }
}
