package org.treerename.manifests;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Requires the labels that Kubernetes recommends. Every object must have labels for its project (part-of), its
 * installation (instance) and its version. An object of a service must have labels for the application (name) and the
 * service (component) as well. The selector of a Deployment must not contain the version, because Kubernetes does not
 * allow a change of this selector.
 */
final class Labels implements Check {

    private static final String RECOMMENDED = "app.kubernetes.io/";
    private static final Set<String> OF_A_SERVICE = Set.of(
            "Deployment",
            "ServiceAccount",
            "Service",
            "PodDisruptionBudget",
            "HorizontalPodAutoscaler",
            "ScaledObject");

    private final String version;

    /** @param version the required value of each version label */
    Labels(String version) {
        this.version = version;
    }

    @Override
    public List<String> problems(Manifests built) {
        List<String> problems = new ArrayList<>();
        for (Manifest manifest : built.all()) {
            JsonNode labels = manifest.at("/metadata/labels");
            expect(manifest, labels, "part-of", "tree-rename", problems);
            expect(manifest, labels, "instance", "tree-rename", problems);
            expect(manifest, labels, "version", version, problems);
            if (OF_A_SERVICE.contains(manifest.kind())) {
                ofService(manifest, labels, problems);
            }
        }
        for (Manifest deployment : Services.deployments(built)) {
            JsonNode labels = deployment.at("/spec/template/metadata/labels");
            expect(deployment, labels, "version", version, problems);
            expect(deployment, labels, "instance", "tree-rename", problems);
            ofService(deployment, labels, problems);
            expect(
                    deployment,
                    labels,
                    "component",
                    deployment.container().path("name").asText(),
                    problems);
            if (deployment.at("/spec/selector/matchLabels").has(RECOMMENDED + "version")) {
                problems.add(deployment + " selects pods by their version");
            }
        }
        return problems;
    }

    private static void ofService(Manifest manifest, JsonNode labels, List<String> problems) {
        expect(manifest, labels, "name", "tree-rename", problems);
        String component = labels.path(RECOMMENDED + "component").asText();
        if (!Services.knows(component)) {
            problems.add(manifest + ": expected a service in the label component, found \"" + component + "\"");
        }
    }

    private static void expect(Manifest of, JsonNode labels, String name, String value, List<String> problems) {
        String found = labels.path(RECOMMENDED + name).asText();
        if (!found.equals(value)) {
            problems.add(of + ": expected the label " + name + " " + value + ", found \"" + found + "\"");
        }
    }
}
