package org.treerename.monitoring;

import static org.assertj.core.api.Assertions.assertThat;

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
    private static final Path RUNBOOK = FOLDER.resolve("../RUNBOOK.md");

    private static List<Map<String, Object>> rules() throws IOException {
        return groups("rules.yaml", "groups").stream()
                .flatMap(group -> maps(group.get("rules")).stream())
                .toList();
    }

    private static List<Map<String, Object>> groups(String file, String key) throws IOException {
        Object read =
                new Load(LoadSettings.builder().build()).loadFromString(Files.readString(FOLDER.resolve(file)));
        return maps(((Map<?, ?>) read).get(key));
    }

    @SuppressWarnings("unchecked")
    private static List<Map<String, Object>> maps(Object read) {
        return (List<Map<String, Object>>) read;
    }

    private static Set<String> alerts() throws IOException {
        return rules().stream().map(rule -> String.valueOf(rule.get("alert"))).collect(Collectors.toSet());
    }

    @Test
    @Needs("promtool")
    void prometheus_reads_the_rules_and_they_fire_when_they_should() throws IOException, InterruptedException {
        Promtool.agrees(FOLDER, "check", "rules", "rules.yaml");
        Promtool.agrees(FOLDER, "test", "rules", "rules-test.yaml");
    }

    @Test
    void each_alert_is_tried_where_it_fires_and_where_it_does_not() throws IOException {
        Map<Boolean, Set<String>> tried = groups("rules-test.yaml", "tests").stream()
                .flatMap(test -> maps(test.get("alert_rule_test")).stream())
                .collect(Collectors.partitioningBy(
                        test -> !maps(test.get("exp_alerts")).isEmpty(),
                        Collectors.mapping(test -> String.valueOf(test.get("alertname")), Collectors.toSet())));

        assertThat(tried).containsEntry(true, alerts()).containsEntry(false, alerts());
    }

    @Test
    void each_metric_that_a_rule_names_is_shown_by_the_services() throws IOException {
        Set<String> known = Expression.known();

        assertThat(rules()).allSatisfy(rule -> assertThat(new Expression(String.valueOf(rule.get("expr"))).metrics())
                .isNotEmpty()
                .isSubsetOf(known));
    }

    @Test
    void each_alert_has_its_section_in_the_runbook_and_no_other_alert_has() throws IOException {
        List<String> sections = Files.readAllLines(RUNBOOK).stream()
                .filter(line -> line.startsWith("### TreeRename"))
                .map(line -> line.substring("### ".length()))
                .toList();

        assertThat(sections).containsExactlyInAnyOrderElementsOf(alerts());
    }

    @Test
    void each_alert_says_how_bad_it_is_in_words_and_where_its_section_is() throws IOException {
        assertThat(rules()).allSatisfy(rule -> {
            Map<?, ?> annotations = (Map<?, ?>) rule.get("annotations");
            assertThat(((Map<?, ?>) rule.get("labels")).get("severity")).isIn("warning", "critical");
            assertThat(annotations.get("summary")).asString().isNotBlank();
            assertThat(annotations.get("description")).asString().isNotBlank();
            assertThat(annotations.get("runbook_url"))
                    .isEqualTo("RUNBOOK.md#" + String.valueOf(rule.get("alert")).toLowerCase(Locale.ROOT));
        });
    }
}
