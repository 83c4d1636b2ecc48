package org.treerename.observe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.treerename.installation.Installation;
import org.treerename.service.GeneratedTable;

class MetersTest {

    private final Meters meters = new Meters(Installation.DEFAULT);

    @ParameterizedTest
    @EnumSource
    void a_metric_is_shown_under_the_name_type_and_labels_of_the_page(Metric metric) {
        String[] values = metric.labels().stream().map(label -> "x").toArray(String[]::new);
        switch (metric) {
            case RENAMES,
                    DOCUMENTS,
                    LOCK_REFUSALS,
                    RETRIES,
                    PARKINGS,
                    TAKE_OVERS,
                    FENCES,
                    DEAD_LETTERS,
                    HTTP_REQUESTS -> meters.count(metric, values);
            case LOCK_WAIT, REQUESTS -> meters.time(metric, Duration.ofSeconds(1), values);
            case QUEUE, LAG, NOT_BEGUN, AUDIT_FINDINGS -> meters.showByLabel(metric, () -> Map.of("x", 1.0));
            case GONE, HEARTBEAT_AGE, RUNNING, OPEN, PARKED, OLDEST_WAITING, STALLED, HTTP_STREAMS ->
                meters.show(metric, () -> 1);
        }

        assertThat(meters.shown().lines())
                .contains("# TYPE " + metric.shown() + " " + metric.type())
                .anyMatch(line -> line.matches(metric.shown() + "(_sum)?" + labels(metric) + " 1\\.0"));
    }

    private static String labels(Metric metric) {
        return metric.labels().isEmpty()
                ? ""
                : "\\{"
                        + String.join(
                                ",",
                                metric.labels().stream()
                                        .sorted()
                                        .map(label -> label + "=\"x\"")
                                        .toList()) + "}";
    }

    @Test
    void the_table_of_the_page_has_all_metrics_and_no_others() {
        List<String> table =
                new ArrayList<>(List.of("| metric | type | labels | meaning |", "| --- | --- | --- | --- |"));
        Arrays.stream(Metric.values()).map(Metric::row).forEach(table::add);

        assertThat(new GeneratedTable(Path.of("../deploy/docs/monitoring.md")).rows(table))
                .containsExactlyElementsOf(table);
    }

    @Test
    void shows_the_start_time_of_the_process() {
        assertThat(meters.shown().lines()).anyMatch(line -> line.startsWith("process_start_time_seconds "));
    }

    @Test
    void every_metric_of_an_installation_with_a_prefix_has_its_label() {
        try (Meters blue = new Meters(new Installation("blue"))) {
            blue.count(Metric.FENCES);
            blue.showByLabel(Metric.LAG, () -> Map.of("3", 7.0));

            assertThat(blue.shown().lines())
                    .contains(
                            "tree_rename_fences_total{installation=\"blue\"} 1.0",
                            "tree_rename_lag_records{installation=\"blue\",partition=\"3\"} 7.0")
                    .filteredOn(line -> !line.startsWith("#"))
                    .allMatch(line -> line.contains("installation=\"blue\""));
        }
        assertThat(meters.shown()).doesNotContain("installation=");
    }

    @Test
    void refuses_a_missing_label() {
        assertThatThrownBy(() -> meters.count(Metric.RENAMES, "completed")).hasMessageContaining("[status, reason]");
    }

    @Test
    void shows_no_removed_value_and_uses_the_last_supplier() {
        meters.showByLabel(Metric.QUEUE, () -> Map.of("0", 5.0));
        assertThat(meters.shown()).contains("tree_rename_queue_requests{partition=\"0\"} 5.0");

        meters.showByLabel(Metric.QUEUE, () -> Map.of("1", 6.0));
        assertThat(meters.shown())
                .contains("tree_rename_queue_requests{partition=\"1\"} 6.0")
                .doesNotContain("partition=\"0\"");

        meters.show(Metric.RUNNING, () -> 1);
        meters.show(Metric.RUNNING, () -> 2);
        assertThat(meters.shown()).contains("tree_rename_running 2.0");
    }
}
