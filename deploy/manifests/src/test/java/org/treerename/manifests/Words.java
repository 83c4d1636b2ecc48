package org.treerename.manifests;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/** Names, labels, and the words of which Kubernetes takes a few, are ones that it takes: to its client they are any text. */
final class Words implements Check {

    private static final Pattern NAME =
            Pattern.compile("[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?)*");
    private static final Pattern LABEL = Pattern.compile("([A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?)?");

    /** By the fields in which they stand. */
    private static final Map<String, Set<String>> TAKEN = Map.of(
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
                problems.add(manifest + ": no object can be called so");
            }
            look(manifest, manifest.json(), problems);
        }
        return problems;
    }

    private static void look(Manifest of, JsonNode node, List<String> problems) {
        node.propertyStream().forEach(field -> {
            JsonNode value = field.getValue();
            Set<String> taken = TAKEN.get(field.getKey());
            if (taken != null) {
                (value.isArray() ? value.valueStream().toList() : List.of(value))
                        .stream()
                                .filter(word -> !taken.contains(word.asText()))
                                .forEach(word ->
                                        problems.add(of + ": " + field.getKey() + " is " + word + ", and no " + taken));
            }
            if (field.getKey().equals("labels") || field.getKey().equals("matchLabels")) {
                value.properties().stream()
                        .filter(label ->
                                !LABEL.matcher(label.getValue().asText()).matches())
                        .forEach(label -> problems.add(of + ": no label can be " + label.getValue()));
            }
            look(of, value, problems);
        });
        node.forEach(item -> {
            if (node.isArray()) {
                look(of, item, problems);
            }
        });
    }
}
