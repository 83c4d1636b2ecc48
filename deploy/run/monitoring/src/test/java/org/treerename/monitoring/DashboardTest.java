package org.treerename.monitoring;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.treerename.testservers.Needs;

class DashboardTest {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int COLUMNS = 24;

    private static JsonNode dashboard() throws IOException {
        return JSON.readTree(Files.readString(Path.of("dashboard.json")));
    }

    private static List<JsonNode> panels() throws IOException {
        List<JsonNode> panels = new ArrayList<>();
        dashboard().required("panels").forEach(panels::add);
        return panels;
    }

    /** Returns the expressions of all panels, with a value in place of each Grafana variable. */
    private static List<String> expressions() throws IOException {
        List<String> expressions = new ArrayList<>();
        for (JsonNode panel : panels()) {
            panel.path("targets")
                    .forEach(target -> expressions.add(target.required("expr")
                            .asText()
                            .replace("$__rate_interval", "5m")
                            .replace("$job", ".*")
                            .replace("$instance", ".*")));
        }
        return expressions;
    }

    @Test
    @Needs("promtool")
    void prometheus_accepts_each_expression(@TempDir Path folder) throws IOException, InterruptedException {
        ObjectNode rules = JSON.createObjectNode();
        ArrayNode group =
                rules.putArray("groups").addObject().put("name", "panels").putArray("rules");
        for (String expression : expressions()) {
            group.addObject().put("record", "panel:" + group.size()).put("expr", expression);
        }
        Files.writeString(folder.resolve("panels.yaml"), rules.toString());

        assertThat(group).hasSizeGreaterThan(10);
        Promtool.agrees(folder, "check", "rules", "panels.yaml");
    }

    @Test
    void the_services_export_each_metric_of_the_panels() throws IOException {
        Set<String> known = Expression.known();

        assertThat(expressions())
                .allSatisfy(expression -> assertThat(new Expression(expression).metrics())
                        .isNotEmpty()
                        .isSubsetOf(known));
    }

    @Test
    void each_expression_selects_the_chosen_job_and_instance() throws IOException {
        for (JsonNode panel : panels()) {
            panel.path("targets")
                    .forEach(target -> assertThat(target.required("expr").asText())
                            .as(panel.path("title").asText())
                            .contains("job=~\"$job\"", "instance=~\"$instance\""));
        }
        assertThat(dashboard().at("/templating/list").findValuesAsText("name"))
                .contains("datasource", "job", "instance");
    }

    @Test
    void panels_have_different_ids_and_do_not_overlap() throws IOException {
        Set<Integer> ids = new HashSet<>();
        Set<String> cells = new HashSet<>();
        for (JsonNode panel : panels()) {
            String title = panel.required("title").asText();
            JsonNode place = panel.required("gridPos");
            assertThat(ids.add(panel.required("id").asInt())).as(title).isTrue();
            assertThat(place.required("x").asInt() + place.required("w").asInt())
                    .as(title)
                    .isLessThanOrEqualTo(COLUMNS);
            for (int x = 0; x < place.required("w").asInt(); x++) {
                for (int y = 0; y < place.required("h").asInt(); y++) {
                    String cell = (place.required("x").asInt() + x) + " "
                            + (place.required("y").asInt() + y);
                    assertThat(cells.add(cell)).as(title).isTrue();
                }
            }
        }
        assertThat(ids).isNotEmpty();
    }
}
