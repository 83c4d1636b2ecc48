package org.treerename.manifests;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Requires that each selector selects the pods of at least one Deployment. A Deployment must select only its own pods.
 * Each autoscaler must name an existing Deployment.
 */
final class Selectors implements Check {

    private static final Map<String, String> WHERE = Map.of(
            "Service", "/spec/selector",
            "PodDisruptionBudget", "/spec/selector/matchLabels",
            "NetworkPolicy", "/spec/podSelector/matchLabels",
            "PodMonitor", "/spec/selector/matchLabels");

    @Override
    public List<String> problems(Manifests built) {
        List<String> problems = new ArrayList<>();
        for (Manifest manifest : built.all()) {
            String where = WHERE.get(manifest.kind());
            if (where != null) {
                selects(manifest, manifest.at(where), built, problems);
            }
            if (manifest.kind().equals("Deployment")) {
                selectsItself(manifest, manifest.at("/spec/selector/matchLabels"), built, problems);
                manifest.at("/spec/template/spec/topologySpreadConstraints")
                        .forEach(constraint ->
                                selectsItself(manifest, constraint.at("/labelSelector/matchLabels"), built, problems));
            }
            if (manifest.at("/spec/scaleTargetRef").isObject()
                    && built.find("Deployment", manifest.text("/spec/scaleTargetRef/name"))
                            .isEmpty()) {
                problems.add(manifest + " scales no Deployment");
            }
        }
        return problems;
    }

    private static void selects(Manifest manifest, JsonNode labels, Manifests built, List<String> problems) {
        List<Manifest> selected = built.selected(labels).toList();
        if (selected.isEmpty()) {
            problems.add(manifest + " selects no Deployment");
        }
        if ((manifest.kind().equals("Service") || manifest.kind().equals("PodDisruptionBudget"))
                && selected.size() > 1) {
            problems.add(manifest + " selects more than one Deployment: " + selected);
        }
    }

    private static void selectsItself(Manifest manifest, JsonNode labels, Manifests built, List<String> problems) {
        if (!built.selected(labels).toList().equals(List.of(manifest))) {
            problems.add(manifest + " does not select exactly its own pods with " + labels);
        }
    }
}
