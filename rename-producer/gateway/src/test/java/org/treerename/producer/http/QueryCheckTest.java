package org.treerename.producer.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Collections;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class QueryCheckTest {

    private static final String LIKE = "{\"_index\":\"other\",\"_id\":\"1\"}";

    private static void check(String query) {
        QueryCheck.check(json(query));
    }

    private static JsonNode json(String query) {
        try {
            return Json.read(query.getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"match_all\":{}}",
                "{\"term\":{\"script\":\"main.sh\"}}",
                "{\"bool\":{\"filter\":{\"term\":{\"index\":\"i\"}},\"must_not\":[{\"term\":{\"id\":\"1\"}}],\"boost\":2}}",
                "{\"terms\":{\"script\":[\"a\",\"b\"],\"boost\":1}}",
                "{\"nested\":{\"path\":\"p\",\"query\":{\"exists\":{\"field\":\"p.x\"}},\"score_mode\":\"avg\"}}",
                "{\"geo_shape\":{\"place\":{\"shape\":{\"type\":\"point\",\"coordinates\":[1,2]},\"relation\":\"within\"}}}",
                "{\"intervals\":{\"script\":{\"all_of\":{\"ordered\":true,\"intervals\":[{\"match\":{\"query\":\"a b\","
                        + "\"filter\":{\"before\":{\"match\":{\"query\":\"c\"}}}}},{\"prefix\":{\"prefix\":\"d\"}}]}}}}",
                "{\"span_near\":{\"clauses\":[{\"span_term\":{\"x\":\"a\"}},{\"span_gap\":{\"x\":2}},"
                        + "{\"span_multi\":{\"match\":{\"wildcard\":{\"x\":\"b*\"}}}}],\"slop\":1}}",
                "{\"regexp\":{\"name\":{\"value\":\"a.*\",\"flags\":\"NONE\"}}}"
            })
    void allows_a_query_that_reads_only_the_documents_it_filters(String query) {
        check(query);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "wrapper {\"query\":\"e30=\"}",
                "script {\"script\":\"true\"}",
                "script_score {\"query\":{\"match_all\":{}},\"script\":{\"source\":\"1\"}}",
                "function_score {\"script_score\":{\"script\":\"1\"}}",
                "terms_set {\"x\":{\"terms\":[\"a\"],\"minimum_should_match_script\":\"1\"}}",
                "percolate {\"field\":\"q\",\"index\":\"other\",\"id\":\"1\"}",
                "more_like_this {\"like\":[" + LIKE + "]}",
                "pinned {\"docs\":[" + LIKE + "],\"organic\":{\"match_all\":{}}}",
                "rule {\"ruleset_ids\":[\"r\"],\"match_criteria\":{},\"organic\":{\"match_all\":{}}}",
                "rule_query {\"organic\":{\"match_all\":{}}}",
                "knn {\"field\":\"v\",\"query_vector_builder\":{\"text_embedding\":{\"model_id\":\"m\"}}}",
                "semantic {\"field\":\"s\",\"query\":\"x\"}",
                "sparse_vector {\"field\":\"s\",\"inference_id\":\"i\",\"query\":\"x\"}",
                "text_expansion {\"s\":{\"model_id\":\"m\",\"model_text\":\"x\"}}",
                "weighted_tokens {\"s\":{\"tokens\":{\"a\":1}}}",
                "distance_feature {\"field\":\"d\"}",
                "rank_feature {\"field\":\"d\"}",
                "has_child {\"type\":\"t\",\"query\":{\"match_all\":{}}}",
                "has_parent {\"parent_type\":\"t\",\"query\":{\"match_all\":{}}}",
                "runtime_mappings {}",
                "Wrapper {}",
                "unknown {}",
                " {}"
            })
    void refuses_another_type_at_each_place_and_names_it(String typeAndContent) {
        int end = typeAndContent.indexOf(' ');
        String type = typeAndContent.substring(0, end);
        String clause = "{\"" + type + "\":" + typeAndContent.substring(end + 1) + "}";

        for (String around : new String[] {
            "%s",
            "{\"bool\":{\"should\":[{\"match_all\":{}},%s]}}",
            "{\"bool\":{\"must\":%s}}",
            "{\"boosting\":{\"positive\":{\"match_all\":{}},\"negative\":%s}}",
            "{\"constant_score\":{\"filter\":%s}}",
            "{\"dis_max\":{\"queries\":[%s]}}",
            "{\"nested\":{\"path\":\"p\",\"query\":%s}}",
            "{\"field_masking_span\":{\"field\":\"f\",\"query\":%s}}",
            "{\"span_multi\":{\"match\":%s}}",
            "{\"span_or\":{\"clauses\":[%s]}}",
            "{\"span_not\":{\"include\":{\"span_term\":{\"x\":\"a\"}},\"exclude\":%s}}",
            "{\"span_within\":{\"big\":{\"span_term\":{\"x\":\"a\"}},\"little\":%s}}",
            "{\"intervals\":{\"x\":%s}}",
            "{\"intervals\":{\"x\":{\"any_of\":{\"intervals\":[%s]}}}}",
            "{\"intervals\":{\"x\":{\"match\":{\"query\":\"a\",\"filter\":%s}}}}",
            "{\"intervals\":{\"x\":{\"match\":{\"query\":\"a\",\"filter\":{\"after\":%s}}}}}"
        }) {
            String query = String.format(around, clause);
            assertThatThrownBy(() -> check(query))
                    .as(query)
                    .isInstanceOf(ProblemException.class)
                    .hasMessageContaining(
                            "found the type " + type + ", which is not allowed here; the allowed types are ");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"geo_shape\":{\"place\":{\"indexed_shape\":{\"id\":\"1\"}}}}",
                "{\"shape\":{\"place\":{\"indexed_shape\":{\"id\":\"1\",\"index\":\"other\",\"path\":\"p\"}}}}",
                "{\"terms\":{\"owner\":{\"index\":\"other\",\"id\":\"1\",\"path\":\"p\"}}}",
                "{\"terms\":{\"owner\":{\"id\":\"1\",\"path\":\"p\"}}}",
                "{\"nested\":{\"path\":\"p\",\"query\":{\"match_all\":{}},\"inner_hits\":{\"script_fields\":{}}}}",
                "{\"bool\":{\"mustNot\":[{\"match_all\":{}}]}}",
                "{\"regexp\":{\"x\":{\"value\":\"a\",\"max_determinized_states\":2000000000}}}",
                "{\"query_string\":{\"query\":\"/a/\",\"max_determinized_states\":2000000000}}"
            })
    void refuses_an_option_that_names_a_document_or_raises_a_limit(String query) {
        assertThatThrownBy(() -> check(query)).isInstanceOf(ProblemException.class);
    }

    /** Elasticsearch ignores the brackets of some arrays, and reads the objects inside. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"geo_shape\":{\"place\":[%s]}}",
                "{\"geo_shape\":{\"place\":[[%s]]}}",
                "{\"shape\":{\"place\":[%s]}}",
                "{\"shape\":[{\"place\":%s}]}",
                "{\"bool\":{\"must_not\":[{\"geo_shape\":{\"place\":[%s]}}]}}",
                "{\"bool\":[{\"must\":{\"geo_shape\":{\"place\":%s}}}]}",
                "{\"nested\":[{\"path\":\"p\",\"query\":{\"shape\":{\"place\":%s}}}]}",
                "{\"terms\":[{\"owner\":%s}]}",
                "{\"terms\":{\"owner\":[%s]}}",
                "{\"term\":{\"owner\":[%s]}}",
                "{\"match\":[{\"owner\":%s}]}",
                "{\"intervals\":{\"x\":{\"match\":[%s]}}}"
            })
    void refuses_an_array_in_the_place_of_an_object(String query) {
        String reference = "{\"indexed_shape\":{\"id\":\"1\",\"index\":\"other\",\"path\":\"secret\"}}";

        assertThatThrownBy(() -> check(String.format(query, reference))).isInstanceOf(ProblemException.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "[]",
                "\"wrapper\"",
                "null",
                "{}",
                "{\"match_all\":{},\"wrapper\":{}}",
                "{\"bool\":{\"must\":null}}",
                "{\"bool\":{\"must\":[[{\"match_all\":{}}]]}}",
                "{\"intervals\":{\"x\":\"a\"}}"
            })
    void refuses_a_clause_that_does_not_have_exactly_one_type(String query) {
        assertThatThrownBy(() -> check(query))
                .isInstanceOf(ProblemException.class)
                .hasMessageContaining("expected an object with one type of query");
    }

    private static String many(String clause, int times) {
        return "{\"bool\":{\"should\":[" + String.join(",", Collections.nCopies(times, clause)) + "]}}";
    }

    @Test
    void limits_the_number_of_clauses_and_the_text_of_slow_clauses() {
        check(many("{\"term\":{\"owner\":\"me\"}}", QueryCheck.MOST_COST - 1));
        check(many("{\"wildcard\":{\"name\":\"*.java\"}}", 75));

        for (String query : new String[] {
            many("{\"term\":{\"owner\":\"me\"}}", QueryCheck.MOST_COST),
            many("{\"term\":{\"owner\":{\"value\":\"me\",\"case_insensitive\":true}}}", 75),
            many("{\"wildcard\":{\"name\":\"*a*\"}}", 100),
            many("{\"exists\":{\"field\":\"*\"}}", 100),
            many("{\"nested\":{\"path\":\"p\",\"query\":{\"fuzzy\":{\"p.x\":\"a\"}}}}", 150),
            "{\"query_string\":{\"query\":\"" + "a~ ".repeat(1_000) + "\"}}",
            "{\"intervals\":{\"x\":{\"any_of\":{\"intervals\":["
                    + String.join(",", Collections.nCopies(150, "{\"wildcard\":{\"pattern\":\"*a\"}}")) + "]}}}}"
        }) {
            assertThatThrownBy(() -> check(query))
                    .isInstanceOf(ProblemException.class)
                    .hasMessageContaining("the query is too expensive");
        }
    }

    @Test
    void shows_only_the_beginning_of_a_long_type() {
        String wrapped = Base64.getEncoder().encodeToString(new byte[300]);

        assertThatThrownBy(() -> check("{\"" + wrapped + "\":{}}"))
                .isInstanceOf(ProblemException.class)
                .hasMessageNotContaining(wrapped);
    }

    @Test
    void the_documentation_lists_the_allowed_types() throws IOException {
        String page = Files.readString(Path.of("..", "docs", "http.md"));

        assertThat(page.replaceAll("\\s+", " ")).contains("`" + String.join("`, `", QueryCheck.types()) + "`");
    }
}
