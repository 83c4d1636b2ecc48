package org.treerename.monitoring;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.treerename.testservers.Needs;

class RulesTest {

    private static final Path FOLDER = Path.of("").toAbsolutePath();
    private static final Path RUNBOOK = FOLDER.resolve("../../docs/runbook.md");

    private static JsonNode read(String file) throws IOException {
        Load yaml = new Load(LoadSettings.builder().build());
        return new ObjectMapper().valueToTree(yaml.loadFromString(Files.readString(FOLDER.resolve(file))));
    }

    private static List<JsonNode> rules() throws IOException {
        return read("rules.yaml").required("groups").findValues("rules").stream()
                .flatMap(JsonNode::valueStream)
                .toList();
    }

    private static String alert(JsonNode rule) {
        return rule.required("alert").asText();
    }

    private static Set<String> alerts() throws IOException {
        return rules().stream().map(RulesTest::alert).collect(Collectors.toSet());
    }

    @Test
    @Needs("promtool")
    void prometheus_accepts_the_rules_and_alerts_fire_as_the_rule_tests_expect()
            throws IOException, InterruptedException {
        Promtool.agrees(FOLDER, "check", "rules", "rules.yaml");
        Promtool.agrees(FOLDER, "test", "rules", "rules-test.yaml");
    }

    @Test
    void each_alert_has_a_rule_test_in_which_it_fires_and_one_in_which_it_does_not() throws IOException {
        Map<Boolean, Set<String>> tried = read("rules-test.yaml").findValues("alert_rule_test").stream()
                .flatMap(JsonNode::valueStream)
                .collect(Collectors.partitioningBy(
                        test -> !test.required("exp_alerts").isEmpty(),
                        Collectors.mapping(test -> test.required("alertname").asText(), Collectors.toSet())));

        assertThat(tried).containsEntry(true, alerts()).containsEntry(false, alerts());
    }

    @Test
    void the_services_export_each_metric_of_the_rules() throws IOException {
        Set<String> known = Expression.known();

        assertThat(rules())
                .allSatisfy(
                        rule -> assertThat(new Expression(rule.required("expr").asText()).metrics())
                                .isNotEmpty()
                                .isSubsetOf(known));
    }

    @Test
    void the_runbook_has_one_section_for_each_alert_and_no_other_sections() throws IOException {
        List<String> sections = Files.readAllLines(RUNBOOK).stream()
                .filter(line -> line.startsWith("### TreeRename"))
                .map(line -> line.substring("### ".length()))
                .toList();

        assertThat(sections).containsExactlyInAnyOrderElementsOf(alerts());
    }

    @Test
    void each_alert_has_a_severity_a_description_and_an_absolute_runbook_link() throws IOException {
        assertThat(System.getProperty("runbook.url")).startsWith("https://");
        assertThat(rules()).allSatisfy(rule -> {
            JsonNode annotations = rule.required("annotations");
            assertThat(rule.at("/labels/severity").asText()).isIn("warning", "critical");
            assertThat(annotations.required("summary").asText()).isNotBlank();
            assertThat(annotations.required("description").asText()).isNotBlank();
            assertThat(annotations.required("runbook_url").asText())
                    .isEqualTo(System.getProperty("runbook.url") + "#"
                            + alert(rule).toLowerCase(Locale.ROOT));
        });
    }
}
