package org.treerename.manifests;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.treerename.http.ManagementServer;
import org.treerename.installation.Installation;
import org.treerename.observe.Meters;
import org.treerename.runtime.Health;
import picocli.CommandLine;

/**
 * Requires that each service listens on all its ports in the manifests. The management server must answer every path of
 * a probe or a monitor.
 */
final class Doors implements Check {

    /** The options that set the ports of each service, by the name of the port. */
    private static final Map<String, Map<String, String>> PORTS = Map.of(
            "worker", Map.of("management", "--http-port"),
            "janitor", Map.of("management", "--http-port", "console", "--console-port"),
            "gateway", Map.of("api", "--http-port", "management", "--management-port"));

    private static final List<String> PROBES = List.of("startupProbe", "livenessProbe", "readinessProbe");

    /** The status codes of a known path. A service that is not ready answers with 503. */
    private static final Set<Integer> ANSWERED = Set.of(200, 503);

    /** Whether the management server answers a path, for each path that was requested before. */
    private final Map<String, Boolean> answered = new HashMap<>();

    @Override
    public List<String> problems(Manifests built) {
        List<String> problems = new ArrayList<>();
        Set<String> unanswered = new TreeSet<>();
        for (Manifest deployment : Services.deployments(built)) {
            ports(deployment, built, problems);
            for (String probe : PROBES) {
                JsonNode get = deployment.container().path(probe).path("httpGet");
                if (!get.path("port").asText().equals("management")) {
                    problems.add(deployment + ": " + probe + " does not use the port management");
                }
                unanswered.add(get.path("path").asText());
            }
            expect(deployment, "startupProbe", "/health/live", problems);
            expect(deployment, "livenessProbe", "/health/live", problems);
            expect(deployment, "readinessProbe", "/health/ready", problems);
        }
        for (Manifest monitor : built.of("PodMonitor")) {
            for (JsonNode endpoint : monitor.list("/spec/podMetricsEndpoints")) {
                named(monitor, endpoint.path("port"), "/spec/selector/matchLabels", built, problems);
                unanswered.add(endpoint.path("path").asText());
            }
        }
        for (Manifest service : built.of("Service")) {
            service.list("/spec/ports")
                    .forEach(port -> named(service, port.path("targetPort"), "/spec/selector", built, problems));
        }
        for (Manifest policy : built.of("NetworkPolicy")) {
            policy.list("/spec/ingress").stream()
                    .flatMap(rule -> rule.path("ports").valueStream())
                    .forEach(
                            port -> named(policy, port.path("port"), "/spec/podSelector/matchLabels", built, problems));
        }
        unanswered.removeIf(path -> answered.computeIfAbsent(path, Doors::isAnswered));
        unanswered.forEach(path -> problems.add("no service answers \"" + path + "\""));
        return problems;
    }

    private static void expect(Manifest deployment, String probe, String path, List<String> problems) {
        String found = deployment.container().path(probe).at("/httpGet/path").asText();
        if (!found.equals(path)) {
            problems.add(deployment + ": expected " + probe + " of path " + path + ", found \"" + found + "\"");
        }
    }

    /**
     * Requires that the ports of the container equal the ports in the settings. Requires that the service listens on
     * all addresses.
     */
    private static void ports(Manifest deployment, Manifests built, List<String> problems) {
        Map<String, String> declared = new HashMap<>();
        deployment
                .container()
                .path("ports")
                .forEach(port -> declared.put(
                        port.path("name").asText(), port.path("containerPort").asText()));
        Map<String, String> set = new HashMap<>();
        try {
            CommandLine command = Services.configured(deployment, built);
            PORTS.getOrDefault(deployment.container().path("name").asText(), Map.of())
                    .forEach((name, option) -> {
                        set.put(name, Services.value(command, option));
                        String host = Services.value(command, option.replace("-port", "-host"));
                        if (!host.equals("0.0.0.0")) {
                            problems.add(deployment + ": " + name + " listens on " + host);
                        }
                    });
        } catch (RuntimeException e) {
            problems.add(deployment + ": cannot read its ports: " + e.getMessage());
        }
        if (!declared.equals(set)) {
            problems.add(deployment + " has the ports " + declared + ", but its settings name " + set);
        }
    }

    /** Requires that every selected Deployment declares a port with this name. */
    private static void named(
            Manifest manifest, JsonNode port, String selector, Manifests built, List<String> problems) {
        List<Manifest> selected = built.selected(manifest.at(selector)).toList();
        for (Manifest deployment : selected) {
            boolean isThere = Stream.of(deployment.container())
                    .flatMap(container -> container.path("ports").valueStream())
                    .anyMatch(declared -> declared.path("name").equals(port));
            if (!isThere) {
                problems.add(manifest + ": " + deployment + " has no port " + port);
            }
        }
    }

    private static boolean isAnswered(String path) {
        try (Meters meters = new Meters(Installation.DEFAULT);
                ManagementServer door = ManagementServer.open(
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), meters::shown, new Health());
                HttpClient client = HttpClient.newHttpClient()) {
            URI address = URI.create(door.url()).resolve(path);
            return ANSWERED.contains(client.send(HttpRequest.newBuilder(address).build(), BodyHandlers.ofString())
                    .statusCode());
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
