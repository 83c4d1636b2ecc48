package org.treerename.manifests;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Requires valid object names, valid label values, and allowed values in fields with an enumeration. The Java client of
 * Kubernetes accepts any text for all three.
 */
final class Words implements Check {

    private static final Pattern NAME =
            Pattern.compile("[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?)*");
    private static final Pattern LABEL = Pattern.compile("([A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?)?");

    /** The allowed values of each field with an enumeration, by the name of the field. */
    private static final Map<String, Set<String>> ALLOWED = Map.of(
            "whenUnsatisfiable", Set.of("DoNotSchedule", "ScheduleAnyway"),
            "policyTypes", Set.of("Ingress", "Egress"),
            "protocol", Set.of("TCP", "UDP", "SCTP"),
            "sessionAffinity", Set.of("None", "ClientIP"),
            "restartPolicy", Set.of("Always"));

    @Override
    public List<String> problems(Manifests built) {
        List<String> problems = new ArrayList<>();
        for (Manifest manifest : built.all()) {
            if (!NAME.matcher(manifest.name()).matches()) {
                problems.add(manifest + ": expected a valid object name, found " + manifest.name());
            }
            check(manifest, manifest.json(), problems);
        }
        return problems;
    }

    private static void check(Manifest of, JsonNode node, List<String> problems) {
        node.propertyStream().forEach(field -> {
            JsonNode value = field.getValue();
            Set<String> allowed = ALLOWED.get(field.getKey());
            if (allowed != null) {
                (value.isArray() ? value.valueStream().toList() : List.of(value))
                        .stream()
                                .filter(word -> !allowed.contains(word.asText()))
                                .forEach(word -> problems.add(of + ": expected " + field.getKey() + " to be one of "
                                        + allowed + ", found " + word));
            }
            if (field.getKey().equals("labels") || field.getKey().equals("matchLabels")) {
                value.properties().stream()
                        .filter(label ->
                                !LABEL.matcher(label.getValue().asText()).matches())
                        .forEach(label ->
                                problems.add(of + ": expected a valid label value, found " + label.getValue()));
            }
            check(of, value, problems);
        });
        node.forEach(item -> {
            if (node.isArray()) {
                check(of, item, problems);
            }
        });
    }
}
