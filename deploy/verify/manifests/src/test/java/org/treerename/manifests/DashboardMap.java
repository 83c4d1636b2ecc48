package org.treerename.manifests;

import java.util.ArrayList;
import java.util.List;

/**
 * Requires that the ConfigMap for Grafana contains the dashboard of {@code deploy/run/monitoring}. The requirement
 * applies to each overlay that uses Prometheus.
 */
final class DashboardMap implements Check {

    private static final String NAME = "tree-rename-dashboard";

    /** Grafana's sidecar loads the ConfigMaps with this label. */
    static final String LABEL = "grafana_dashboard";

    private final String dashboard;

    /** @param dashboard the text of dashboard.json */
    DashboardMap(String dashboard) {
        this.dashboard = dashboard;
    }

    @Override
    public List<String> problems(Manifests built) {
        List<String> problems = new ArrayList<>();
        if (!built.of("PrometheusRule").isEmpty()
                && built.find("ConfigMap", NAME).isEmpty()) {
            problems.add("there are alerts, but no ConfigMap " + NAME);
        }
        built.find("ConfigMap", NAME).ifPresent(map -> {
            if (!map.at("/data/tree-rename.json").asText().equals(dashboard)) {
                problems.add(map
                        + " differs from deploy/run/monitoring/dashboard.json; run deploy/run/kubernetes/write-rules");
            }
            if (!map.at("/metadata/labels").path(LABEL).asText().equals("1")) {
                problems.add(map + " has no label " + LABEL + ": \"1\"");
            }
        });
        return problems;
    }
}
