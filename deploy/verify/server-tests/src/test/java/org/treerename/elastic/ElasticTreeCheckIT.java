package org.treerename.elastic;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.treerename.installation.Installation;
import org.treerename.namespace.Fields;
import org.treerename.namespace.Namespace;
import org.treerename.namespace.Rules;
import org.treerename.namespace.TreeProblem;
import org.treerename.path.Notation;

class ElasticTreeCheckIT {

    private final String index = "check-" + UUID.randomUUID();
    private final ElasticTreeCheck check = new ElasticTreeCheck(RealElastic.ELASTIC);

    private void create(String settings, String mappings) {
        RealElastic.RAW.put(
                "/" + index, RealElastic.json("{\"settings\":{" + settings + "},\"mappings\":{" + mappings + "}}"));
    }

    private Namespace with(String field) {
        return new Namespace("n", index, field, null, null, null);
    }

    private List<TreeProblem> problems(String field) {
        return check.problems(with(field));
    }

    @Test
    void a_usable_index_has_no_problem() {
        create(
                "",
                "\"properties\":{\"path\":{\"type\":\"keyword\",\"ignore_above\":8192,"
                        + "\"fields\":{\"tree\":{\"type\":\"text\"}}},\"o\":{\"properties\":{\"virtual\":{\"type\":\"keyword\"}}}}");
        RealElastic.alias(index + "-alias", index);

        assertThat(problems("path")).isEmpty();
        assertThat(problems("o.virtual")).isEmpty();
        assertThat(check.problems(new Namespace("n", index + "-alias", "path", null, null, null)))
                .isEmpty();
    }

    @Test
    void finds_a_field_with_a_dot_in_its_name_if_subobjects_are_off() {
        create("", "\"subobjects\":false,\"properties\":{\"path.virtual\":{\"type\":\"keyword\"}}");

        assertThat(problems("path.virtual")).isEmpty();
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = ';',
            value = {
                "\"path\":{\"type\":\"text\"}; is of type text, not keyword",
                "\"path\":{\"type\":\"text\",\"fields\":{\"keyword\":{\"type\":\"keyword\"}}}; is of type text",
                "\"path\":{\"type\":\"long\"}; is of type long, not keyword",
                "\"other\":{\"type\":\"keyword\"}; is not mapped",
                "\"path\":{\"type\":\"keyword\",\"ignore_above\":8191}; ignore_above of the field path is 8191",
                "\"path\":{\"type\":\"keyword\",\"index\":false}; index or doc_values set to false",
                "\"path\":{\"type\":\"keyword\",\"doc_values\":false}; index or doc_values set to false",
                "\"path\":{\"type\":\"keyword\",\"normalizer\":\"lowercase\"}; has a normalizer",
            })
    void refuses_a_path_field_that_cannot_be_searched_exactly(String properties, String words) {
        create("", "\"properties\":{" + properties + "}");

        assertThat(problems("path")).singleElement().satisfies(problem -> {
            assertThat(problem.what()).contains(words.strip()).contains(index);
            assertThat(problem.mayPass()).isFalse();
            assertThat(problem.mend()).isNotBlank();
        });
    }

    @Test
    void refuses_a_sub_field_and_a_field_of_nested_or_disabled_objects() {
        create(
                "",
                "\"properties\":{\"path\":{\"type\":\"text\",\"fields\":{\"keyword\":{\"type\":\"keyword\"}}},"
                        + "\"n\":{\"type\":\"nested\",\"properties\":{\"path\":{\"type\":\"keyword\"}}},"
                        + "\"off\":{\"enabled\":false}}");

        assertThat(problems("path.keyword")).singleElement().asString().contains("is not mapped, is a sub-field, or");
        assertThat(problems("n.path")).singleElement().asString().contains("is not mapped, is a sub-field, or");
        assertThat(problems("off.path")).singleElement().asString().contains("is not mapped, is a sub-field, or");
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = ';',
            value = {
                "path; \"type\":\"text\"; add the sub-field path.keyword of type keyword (PUT /",
                "path; \"type\":\"text\",\"fields\":{\"keyword\":{\"type\":\"keyword\"}}; set path_keyword: path.keyword in the definition",
                "path; \"type\":\"text\",\"fields\":{\"keyword\":{\"type\":\"keyword\",\"ignore_above\":256}}; raise ignore_above of path.keyword to 8192 (PUT /",
                "path; \"type\":\"keyword\",\"ignore_above\":256; raise ignore_above of path to 8192 (PUT /",
                "path.keyword; \"type\":\"text\",\"fields\":{\"keyword\":{\"type\":\"keyword\"}}; the field is a sub-field: set path_field: path and path_keyword: path.keyword",
                "path; \"type\":\"long\"; map the field as a keyword in a new index",
            })
    void says_the_smallest_repair_of_a_path_field(String field, String mapping, String words) {
        create("", "\"properties\":{\"path\":{" + mapping + "}}");

        assertThat(problems(field))
                .singleElement()
                .satisfies(problem -> assertThat(problem.mend()).contains(words.strip()));
    }

    @Test
    void checks_the_path_keyword_instead_of_the_path_field() {
        create(
                "\"analysis\":{\"normalizer\":{\"lower\":{\"type\":\"custom\",\"filter\":[\"lowercase\"]}}}",
                "\"properties\":{\"path\":{\"type\":\"keyword\",\"normalizer\":\"lower\",\"fields\":{"
                        + "\"exact\":{\"type\":\"keyword\"},\"short\":{\"type\":\"keyword\",\"ignore_above\":256}}}}");

        assertThat(foundBy("path.exact")).isEmpty();
        assertThat(foundBy("path.short")).singleElement().asString().contains("ignore_above");
        assertThat(foundBy("path.none")).singleElement().asString().contains("is not mapped");
        assertThat(problems("path"))
                .singleElement()
                .asString()
                .contains("has a normalizer")
                .contains("path_keyword");
    }

    private List<TreeProblem> foundBy(String keyword) {
        Fields fields = new Fields("path", keyword, Fields.Holds.PATH, null, null, null, null, List.of(), List.of());
        return check.problems(new Namespace("n", index, Notation.SLASHES, fields, null, Rules.DEFAULT));
    }

    @Test
    void refuses_the_control_index() {
        RealElastic.CONTROL.create();

        assertThat(check.problems(new Namespace("n", Installation.DEFAULT.controlIndex(), "path", null, null, null)))
                .extracting(TreeProblem::toString)
                .anyMatch(problem -> problem.contains("the locks and the journal"));
    }

    @Test
    void a_runtime_field_is_refused() {
        create("", "\"runtime\":{\"path\":{\"type\":\"keyword\"}}");

        assertThat(problems("path")).singleElement().asString().contains("runtime");
    }

    @Test
    void respects_the_default_of_the_index_for_ignore_above() {
        create("\"index.mapping.ignore_above\":100", "\"properties\":{\"path\":{\"type\":\"keyword\"}}");

        assertThat(problems("path")).singleElement().asString().contains("is 100");
    }

    @Test
    void checks_the_name_field_as_well_if_the_path_field_holds_the_directory() {
        create("", "\"properties\":{\"path\":{\"type\":\"keyword\"},\"name\":{\"type\":\"text\"}}");
        Fields fields = new Fields("path", Fields.Holds.DIRECTORY, null, "name", null, null, List.of());

        assertThat(check.problems(new Namespace("n", index, Notation.SLASHES, fields, null, Rules.DEFAULT)))
                .singleElement()
                .asString()
                .contains("the field name is of type text", "map the field as a keyword in a new index");
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = ';',
            value = {
                "\"enabled\":false; disabled",
                "\"excludes\":[\"big\"]; stored only in part",
                "\"includes\":[\"path\"]; stored only in part",
            })
    void refuses_an_incomplete_source(String source, String words) {
        create("", "\"_source\":{" + source + "},\"properties\":{\"path\":{\"type\":\"keyword\"}}");

        assertThat(problems("path"))
                .singleElement()
                .asString()
                .contains("_source is")
                .contains(words.strip());
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = ';',
            value = {
                "\"index.mapping.source.mode\":\"synthetic\"; _source is synthetic, not stored",
                "\"index.mode\":\"logsdb\"; _source is synthetic, not stored",
                "\"index.mode\":\"time_series\",\"index.routing_path\":[\"d\"]; documents cannot be changed",
            })
    void refuses_an_index_that_does_not_store_the_source_as_it_was_sent(String settings, String words) {
        create(
                settings,
                "\"properties\":{\"@timestamp\":{\"type\":\"date\"},\"path\":{\"type\":\"keyword\"},"
                        + "\"d\":{\"type\":\"keyword\",\"time_series_dimension\":true}}");

        assertThat(problems("path"))
                .extracting(TreeProblem::toString)
                .anyMatch(problem -> problem.contains(words.strip()));
    }

    @Test
    void a_filtered_and_a_routed_alias_are_refused() {
        create("", "\"properties\":{\"path\":{\"type\":\"keyword\"}}");
        RealElastic.RAW.put(
                "/" + index + "/_alias/" + index + "-f", RealElastic.json("{\"filter\":{\"term\":{\"path\":\"/a\"}}}"));
        RealElastic.RAW.put("/" + index + "/_alias/" + index + "-r", RealElastic.json("{\"routing\":\"1\"}"));

        assertThat(check.problems(new Namespace("n", index + "-f", "path", null, null, null)))
                .singleElement()
                .asString()
                .contains("filter");
        assertThat(check.problems(new Namespace("n", index + "-r", "path", null, null, null)))
                .singleElement()
                .asString()
                .contains("routing");
        assertThat(problems("path"))
                .as("problems of the index without an alias")
                .isEmpty();
    }

    @Test
    void a_final_pipeline_is_refused() {
        create("\"index.final_pipeline\":\"stamp\"", "\"properties\":{\"path\":{\"type\":\"keyword\"}}");

        assertThat(problems("path")).singleElement().asString().contains("final pipeline stamp");
    }

    @Test
    void a_block_and_a_missing_index_are_temporary_problems() {
        assertThat(problems("path")).singleElement().satisfies(problem -> {
            assertThat(problem.what()).isEqualTo("there is no index or alias " + index);
            assertThat(problem.mayPass()).isTrue();
        });
        create("\"index.blocks.write\":true", "\"properties\":{\"path\":{\"type\":\"keyword\"}}");

        assertThat(problems("path")).singleElement().satisfies(problem -> {
            assertThat(problem.what()).contains("the block write");
            assertThat(problem.mayPass()).isTrue();
        });
    }
}
