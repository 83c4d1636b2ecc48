package org.treerename.manifests;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** All checks, and what they know of the rest of the project. */
final class Checks {

    private final Map<String, Check> all = new LinkedHashMap<>();

    Checks() {
        JsonNode rules = Yaml.documents(beside("deploy/monitoring/rules.yaml", "rules.yaml"))
                .getFirst();
        JsonNode roles =
                Yaml.documents(Project.manifests("components/eck/roles.yml")).getFirst();
        for (Check check : List.of(
                new KubernetesTypes(),
                new CustomTypes(),
                new Words(),
                new KnownSettings(),
                new Doors(),
                new Selectors(),
                new References(),
                new Images(Yaml.text(beside("deploy/images/Dockerfile", "Dockerfile")), Project.version()),
                new Grace(),
                new Confinement(),
                new Scaling(),
                new KafkaResources(),
                new ElasticsearchAccess(roles),
                new Rules(rules))) {
            all.put(check.getClass().getSimpleName(), check);
        }
    }

    /** A file of the project, or its small copy beside the tests. */
    private static Path beside(String file, String copy) {
        Path path = Project.file(file);
        return Files.exists(path) ? path : Project.resource(copy);
    }

    Map<String, Check> all() {
        return all;
    }

    /** Each problem with the check that has found it. */
    List<String> problems(Manifests built) {
        return all.entrySet().stream()
                .flatMap(check ->
                        check.getValue().problems(built).stream().map(problem -> check.getKey() + ": " + problem))
                .toList();
    }
}
