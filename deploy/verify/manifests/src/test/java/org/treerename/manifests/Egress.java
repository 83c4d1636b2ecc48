package org.treerename.manifests;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.URI;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Requires a policy that limits the outgoing connections of the pods. The policy must allow exactly the ports of Kafka
 * and Elasticsearch that the settings of the pods contain.
 */
final class Egress implements Check {

    private static final String POLICY = "tree-rename-servers";

    @Override
    public List<String> problems(Manifests built) {
        Set<Integer> allowed = built.find("NetworkPolicy", POLICY).stream()
                .flatMap(policy -> policy.list("/spec/egress").stream())
                .flatMap(rule -> rule.path("ports").valueStream())
                .map(port -> port.path("port"))
                .filter(JsonNode::isInt)
                .map(JsonNode::asInt)
                .collect(Collectors.toSet());
        List<String> problems = new ArrayList<>();
        for (Manifest deployment : Services.deployments(built)) {
            try {
                Set<Integer> used = ports(Services.environment(deployment, built));
                if (!used.equals(allowed)) {
                    problems.add(deployment + " connects to the ports " + used + ", but the NetworkPolicy " + POLICY
                            + " allows " + allowed);
                }
            } catch (IllegalArgumentException e) {
                problems.add(deployment + ": " + e.getMessage());
            }
        }
        return problems;
    }

    private static Set<Integer> ports(Map<String, String> environment) {
        Set<Integer> ports = Arrays.stream(
                        environment.getOrDefault("ELASTICSEARCH_URL", "").split(","))
                .map(url -> URI.create(url).getPort())
                .collect(Collectors.toSet());
        Arrays.stream(environment.getOrDefault("KAFKA_BOOTSTRAP_SERVERS", "").split(","))
                .map(server -> Integer.valueOf(server.substring(server.lastIndexOf(':') + 1)))
                .forEach(ports::add);
        return ports;
    }
}
