package org.treerename.manifests;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Creates all checks, reads the project files that the checks need, and runs the checks. */
final class Checks {

    private final Map<String, Check> all = new LinkedHashMap<>();

    Checks() {
        JsonNode rules =
                Yaml.documents(Project.file("deploy/run/monitoring/rules.yaml")).getFirst();
        JsonNode roles =
                Yaml.documents(Project.manifests("components/eck/roles.yml")).getFirst();
        for (Check check : List.of(
                new KubernetesTypes(),
                new CustomTypes(),
                new Words(),
                new Labels(Project.version()),
                new Egress(),
                new DashboardMap(Yaml.text(Project.file("deploy/run/monitoring/dashboard.json"))),
                new KnownSettings(),
                new Doors(),
                new Selectors(),
                new References(),
                new Images(Yaml.text(Project.file("deploy/run/images/Dockerfile")), Project.version()),
                new Grace(),
                new Confinement(),
                new Scaling(),
                new KafkaResources(),
                new ElasticsearchAccess(roles),
                new Rules(rules))) {
            all.put(check.getClass().getSimpleName(), check);
        }
    }

    Map<String, Check> all() {
        return all;
    }

    /** Returns the problems of all checks, each with the name of its check. */
    List<String> problems(Manifests built) {
        return all.entrySet().stream()
                .flatMap(check ->
                        check.getValue().problems(built).stream().map(problem -> check.getKey() + ": " + problem))
                .toList();
    }
}
