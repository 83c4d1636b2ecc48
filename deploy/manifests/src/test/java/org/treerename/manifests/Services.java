package org.treerename.manifests;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.treerename.host.ServiceCommand;
import org.treerename.runtime.Settings;
import picocli.CommandLine;

/** The programs that the Deployments run. */
final class Services {

    /** A pod's name as a Deployment gives it. */
    static final String POD = "tree-rename-worker-5d4f8c7b9-abcde";

    private static final Map<String, Supplier<Object>> MAINS = Map.of(
            "worker", org.treerename.worker.Main::new,
            "janitor", org.treerename.janitor.Main::new,
            "gateway", org.treerename.producer.http.Main::new);

    private Services() {}

    /** By the names of their containers. */
    static boolean knows(String name) {
        return MAINS.containsKey(name);
    }

    /**
     * A service's command line that has read the environment of its container.
     *
     * @throws IllegalArgumentException if a setting is unknown
     * @throws CommandLine.ParameterException if a setting has a value that cannot be
     */
    static CommandLine configured(Manifest deployment, Manifests built) {
        String name = deployment.container().path("name").asText();
        CommandLine command = ServiceCommand.of(
                Optional.ofNullable(MAINS.get(name)).orElseThrow().get());
        command.setDefaultValueProvider(Settings.of(environment(deployment, built), command));
        var unused = command.parseArgs();
        return command;
    }

    /** What a setting of a service says. */
    static String value(CommandLine command, String option) {
        Object value = command.getCommandSpec().findOption(option).getValue();
        return String.valueOf(value);
    }

    /** As Kubernetes makes it: maps in their order, then single variables. */
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

    /** What runs services. */
    static List<Manifest> deployments(Manifests built) {
        return built.of("Deployment");
    }
}
