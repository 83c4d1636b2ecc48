package org.treerename.manifests;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.treerename.cli.Settings;
import org.treerename.installation.Installation;
import picocli.CommandLine;

/**
 * Requires that each service accepts every setting in the environment of its container. Kubernetes must not add
 * variables whose names begin like the name of a setting.
 */
final class KnownSettings implements Check {

    /** The settings that must be equal in all services. */
    private static final Set<String> SAME = Set.of("--lease", "--prefix");

    @Override
    public List<String> problems(Manifests built) {
        List<String> problems = new ArrayList<>();
        for (Manifest deployment : Services.deployments(built)) {
            check(deployment, built, problems);
        }
        for (String option : SAME) {
            List<String> values = Services.deployments(built).stream()
                    .flatMap(deployment -> value(deployment, built, option))
                    .distinct()
                    .toList();
            if (values.size() > 1) {
                problems.add("services differ in " + option + ": " + values);
            }
        }
        return problems;
    }

    private static void check(Manifest deployment, Manifests built, List<String> problems) {
        if (!deployment.at("/spec/template/spec/enableServiceLinks").asText().equals("false")) {
            problems.add(
                    deployment
                            + ": enableServiceLinks must be false, because it adds variables such as TREE_RENAME_GATEWAY_SERVICE_HOST");
        }
        String container = deployment.container().path("name").asText();
        if (!Services.knows(container)) {
            problems.add(deployment + ": there is no service with the name " + container);
            return;
        }
        try {
            Map<String, String> environment = Services.environment(deployment, built);
            for (String name : environment.keySet()) {
                if (!name.startsWith("TREE_RENAME_")
                        && !Set.of("KAFKA_BOOTSTRAP_SERVERS", "ELASTICSEARCH_URL")
                                .contains(name)) {
                    problems.add(deployment + ": " + name + " is not a setting");
                }
            }
            CommandLine command = Services.configured(deployment, built);
            Set<String> own = Settings.keys(command).stream()
                    .map(key -> Settings.variable("--" + key))
                    .collect(Collectors.toSet());
            environment.keySet().stream()
                    .filter(name -> name.startsWith("TREE_RENAME_") && !own.contains(name))
                    .forEach(name -> problems.add(deployment + ": " + name + " is a setting of another program"));
            var unused = new Installation(Services.value(command, "--prefix"));
            if (!container.equals("gateway") && !Services.POD.equals(environment.get("TREE_RENAME_PROCESS_NAME"))) {
                problems.add(deployment + ": the process ids do not begin with the pod's name");
            }
        } catch (IllegalArgumentException | CommandLine.ParameterException e) {
            problems.add(deployment + ": " + e.getMessage());
        }
    }

    private static Stream<String> value(Manifest deployment, Manifests built, String option) {
        try {
            CommandLine command = Services.configured(deployment, built);
            return command.getCommandSpec().findOption(option) == null
                    ? Stream.of()
                    : Stream.of(Services.value(command, option));
        } catch (RuntimeException e) {
            return Stream.of();
        }
    }
}
