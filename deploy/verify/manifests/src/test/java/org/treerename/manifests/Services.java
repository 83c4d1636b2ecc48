package org.treerename.manifests;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.treerename.cli.Settings;
import org.treerename.installation.Installation;
import org.treerename.service.ServiceCommand;
import picocli.CommandLine;

/** Creates the command lines of the services from the environments of their containers. */
final class Services {

    /** An example of the name that a Deployment gives a pod. */
    static final String POD = "tree-rename-worker-5d4f8c7b9-abcde";

    private static final Map<String, Supplier<Object>> MAINS = Map.of(
            "worker", org.treerename.worker.Main::new,
            "janitor", org.treerename.janitor.Main::new,
            "gateway", org.treerename.producer.http.Main::new);

    private Services() {}

    /** Returns whether a container with this name runs a service. */
    static boolean knows(String name) {
        return MAINS.containsKey(name);
    }

    /**
     * Returns the command line of a service. The options have the values from the environment of the service's
     * container.
     *
     * @throws IllegalArgumentException if a setting is unknown
     * @throws CommandLine.ParameterException if a setting has an invalid value
     */
    static CommandLine configured(Manifest deployment, Manifests built) {
        String name = deployment.container().path("name").asText();
        CommandLine command = ServiceCommand.of(
                Optional.ofNullable(MAINS.get(name)).orElseThrow().get());
        command.setDefaultValueProvider(Settings.of(environment(deployment, built), command));
        var unused = command.parseArgs();
        return command;
    }

    /**
     * Returns the installation to which the services belong.
     *
     * @throws IllegalArgumentException if the services do not have the same prefix
     */
    static Installation installation(Manifests built) {
        List<String> prefixes = deployments(built).stream()
                .map(deployment -> environment(deployment, built).getOrDefault("TREE_RENAME_PREFIX", ""))
                .distinct()
                .toList();
        if (prefixes.size() != 1) {
            throw new IllegalArgumentException("expected one prefix in all services, found " + prefixes);
        }
        return new Installation(prefixes.getFirst());
    }

    /** Returns the value of an option as text. */
    static String value(CommandLine command, String option) {
        Object value = command.getCommandSpec().findOption(option).getValue();
        return String.valueOf(value);
    }

    /**
     * Returns the environment of the container of a Deployment. As in Kubernetes, a later ConfigMap overrides an
     * earlier one, and a single variable overrides all ConfigMaps.
     */
    static Map<String, String> environment(Manifest deployment, Manifests built) {
        Map<String, String> environment = new HashMap<>();
        deployment.container().path("envFrom").forEach(from -> {
            String map = from.at("/configMapRef/name").asText();
            Manifest found = built.find("ConfigMap", map)
                    .orElseThrow(() -> new IllegalArgumentException("there is no ConfigMap " + map));
            found.at("/data")
                    .propertyStream()
                    .forEach(entry ->
                            environment.put(entry.getKey(), entry.getValue().asText()));
        });
        deployment
                .container()
                .path("env")
                .forEach(variable -> environment.put(
                        variable.path("name").asText(),
                        variable.at("/valueFrom/fieldRef/fieldPath").asText().equals("metadata.name")
                                ? POD
                                : variable.path("value").asText()));
        return environment;
    }

    /** Returns all Deployments. Each Deployment runs one service. */
    static List<Manifest> deployments(Manifests built) {
        return built.of("Deployment");
    }
}
