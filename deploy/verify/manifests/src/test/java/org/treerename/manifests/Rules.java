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
import org.treerename.observe.Metric;

/**
 * Requires that each PrometheusRule contains exactly the rules in deploy/run/monitoring/rules.yaml. Rules and
 * autoscalers must use only metrics and labels that the services export.
 */
final class Rules implements Check {

    private static final Pattern METRIC = Pattern.compile("(tree_rename_\\w+)(?:\\{([^}]*)})?");
    private static final Pattern LABEL = Pattern.compile("(\\w+)\\s*(?:=~|!~|!=|=)");

    /** The labels that Prometheus adds to each metric to describe the pod. */
    private static final Set<String> TARGET_LABELS = Set.of("namespace", "pod", "container", "job", "instance");

    private final JsonNode rules;
    private final Map<String, Set<String>> metrics = new HashMap<>();

    Rules(JsonNode rules) {
        this.rules = rules;
        for (Metric metric : Metric.values()) {
            List<String> shown = metric.type().equals("summary")
                    ? List.of(metric.shown() + "_count", metric.shown() + "_sum", metric.shown() + "_max")
                    : List.of(metric.shown());
            Set<String> labels = new HashSet<>(TARGET_LABELS);
            labels.addAll(metric.labels());
            shown.forEach(name -> metrics.put(name, labels));
        }
    }

    @Override
    public List<String> problems(Manifests built) {
        List<String> problems = new ArrayList<>();
        for (Manifest rule : built.of("PrometheusRule")) {
            if (!rule.at("/spec/groups").equals(rules.path("groups"))) {
                problems.add(
                        rule + " differs from deploy/run/monitoring/rules.yaml; run deploy/run/kubernetes/write-rules");
            }
            rule.list("/spec/groups").stream()
                    .flatMap(group -> group.path("rules").valueStream())
                    .forEach(one -> check(rule, one.path("expr").asText(), problems));
        }
        for (Manifest scaled : built.of("ScaledObject")) {
            for (JsonNode trigger : scaled.list("/spec/triggers")) {
                String query = trigger.at("/metadata/query").asText();
                check(scaled, query, problems);
                if (METRIC.matcher(query).results().findAny().isEmpty()) {
                    problems.add(scaled + " uses no metric of the services: " + query);
                }
            }
        }
        return problems;
    }

    private void check(Manifest of, String expression, List<String> problems) {
        METRIC.matcher(expression).results().forEach(found -> {
            Set<String> labels = metrics.get(found.group(1));
            if (labels == null) {
                problems.add(of + ": no service exports " + found.group(1));
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
