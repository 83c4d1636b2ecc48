package org.treerename.manifests;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.treerename.metrics.Metric;

/** The rules are those of the other deployments, and what they and scaling ask for is a metric of the services, with labels that it has. */
final class Rules implements Check {

    private static final Pattern METRIC = Pattern.compile("(tree_rename_\\w+)(?:\\{([^}]*)})?");
    private static final Pattern LABEL = Pattern.compile("(\\w+)\\s*(?:=~|!~|!=|=)");

    /** Whom Prometheus has asked. */
    private static final Set<String> ASKED = Set.of("namespace", "pod", "container", "job", "instance");

    private final JsonNode rules;
    private final Map<String, Set<String>> metrics = new HashMap<>();

    Rules(JsonNode rules) {
        this.rules = rules;
        for (Metric metric : Metric.values()) {
            List<String> shown = metric.type().equals("summary")
                    ? List.of(metric.shown() + "_count", metric.shown() + "_sum", metric.shown() + "_max")
                    : List.of(metric.shown());
            Set<String> labels = new HashSet<>(ASKED);
            labels.addAll(metric.labels());
            shown.forEach(name -> metrics.put(name, labels));
        }
    }

    @Override
    public List<String> problems(Manifests built) {
        List<String> problems = new ArrayList<>();
        for (Manifest rule : built.of("PrometheusRule")) {
            if (!rule.at("/spec/groups").equals(rules.path("groups"))) {
                problems.add(rule + " is not deploy/monitoring/rules.yaml: run deploy/kubernetes/write-rules");
            }
            rule.list("/spec/groups").stream()
                    .flatMap(group -> group.path("rules").valueStream())
                    .forEach(one -> look(rule, one.path("expr").asText(), problems));
        }
        for (Manifest scaled : built.of("ScaledObject")) {
            for (JsonNode trigger : scaled.list("/spec/triggers")) {
                String query = trigger.at("/metadata/query").asText();
                look(scaled, query, problems);
                if (METRIC.matcher(query).results().findAny().isEmpty()) {
                    problems.add(scaled + " asks for no metric of the services: " + query);
                }
            }
        }
        return problems;
    }

    private void look(Manifest of, String expression, List<String> problems) {
        METRIC.matcher(expression).results().forEach(found -> {
            Set<String> labels = metrics.get(found.group(1));
            if (labels == null) {
                problems.add(of + ": no service shows " + found.group(1));
            } else {
                selectors(found)
                        .filter(label -> !labels.contains(label))
                        .forEach(label -> problems.add(of + ": " + found.group(1) + " has no label " + label));
            }
        });
    }

    private static Stream<String> selectors(MatchResult found) {
        return found.group(2) == null
                ? Stream.of()
                : Arrays.stream(found.group(2).split(",", -1))
                        .flatMap(part -> LABEL.matcher(part).results().limit(1).map(label -> label.group(1)));
    }
}
