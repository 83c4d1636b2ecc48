package org.treerename.manifests;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.config.TopicConfig;
import org.treerename.installation.Installation;
import org.treerename.janitor.admin.TopicCreation;

/**
 * Requires that the topics of the manifests equal the topics of {@link TopicCreation}. Each KafkaUser must have exactly
 * the rights that security.md lists.
 */
final class KafkaResources implements Check {

    private static final Pattern ROW = Pattern.compile("\\| (\\w+) \\| `(\\w+)` \\| (topic|group) `([a-z.-]+)` \\|");

    /** The names of the rows in security.md that list the rights of each KafkaUser. */
    private static final Map<String, Set<String>> USERS = Map.of(
            "tree-rename-worker", Set.of("worker"),
            "tree-rename-janitor", Set.of("janitor"),
            "tree-rename-gateway", Set.of("sender", "gateway"),
            "tree-rename-operator", Set.of("operator"));

    /** Topic settings that may differ from {@link TopicCreation}, because their values depend on the Kafka cluster. */
    private static final Set<String> FREE = Set.of(TopicConfig.MIN_IN_SYNC_REPLICAS_CONFIG);

    @Override
    public List<String> problems(Manifests built) {
        List<String> problems = new ArrayList<>();
        if (built.of("Kafka").isEmpty()) {
            return problems;
        }
        Installation installation = Services.installation(built);
        topics(built, installation, problems);
        users(built, installation, problems);
        String cluster = built.of("Kafka").getFirst().name();
        for (String kind : List.of("KafkaTopic", "KafkaUser", "KafkaNodePool")) {
            for (Manifest manifest : built.of(kind)) {
                if (!manifest.text("/metadata/labels/strimzi.io~1cluster").equals(cluster)) {
                    problems.add(manifest + " does not belong to the Kafka cluster " + cluster);
                }
            }
        }
        addresses(built, cluster, problems);
        return problems;
    }

    private static void topics(Manifests built, Installation installation, List<String> problems) {
        int partitions = built.find("KafkaTopic", Installation.DEFAULT.requests())
                .map(topic -> topic.at("/spec/partitions").asInt())
                .orElse(0);
        Map<String, String> expected = new TreeMap<>();
        for (NewTopic topic : TopicCreation.topics(installation, partitions, (short) 1)) {
            expected.put(topic.name(), topic.numPartitions() + " partitions, " + new TreeMap<>(topic.configs()));
        }
        Map<String, String> found = new TreeMap<>();
        for (Manifest topic : built.of("KafkaTopic")) {
            Map<String, String> config = new TreeMap<>();
            topic.at("/spec/config")
                    .propertyStream()
                    .filter(entry -> !FREE.contains(entry.getKey()))
                    .forEach(
                            entry -> config.put(entry.getKey(), entry.getValue().asText()));
            found.put(
                    topic.text("/spec/topicName"), topic.at("/spec/partitions").asInt() + " partitions, " + config);
            int replicas = topic.at("/spec/replicas").asInt();
            int brokers = built.of("KafkaNodePool").stream()
                    .mapToInt(pool -> pool.at("/spec/replicas").asInt())
                    .sum();
            if (replicas > brokers
                    || topic.at("/spec/config/min.insync.replicas").asInt() > replicas) {
                problems.add(topic + " has more replicas than brokers, or more min.insync.replicas than replicas");
            }
        }
        if (!found.equals(expected)) {
            problems.add("expected the topics of TopicCreation " + expected + ", found " + found);
        }
    }

    private static void users(Manifests built, Installation installation, List<String> problems) {
        Map<String, Set<String>> expected = Project.page("deploy/docs/security.md")
                .lines()
                .map(ROW::matcher)
                .filter(row -> row.matches())
                .collect(Collectors.groupingBy(
                        row -> row.group(1),
                        Collectors.mapping(
                                row -> row.group(2) + " on " + row.group(3) + " " + installation.named(row.group(4)),
                                Collectors.toSet())));
        Set<String> unseen = new HashSet<>(USERS.keySet());
        for (Manifest user : built.of("KafkaUser")) {
            Set<String> rights = new TreeSet<>();
            for (JsonNode acl : user.list("/spec/authorization/acls")) {
                JsonNode on = acl.path("resource");
                String kind = on.path("patternType").asText("literal").equals("literal") ? "" : "not literal ";
                acl.path("operations")
                        .forEach(operation -> rights.add(operation.asText() + " on " + kind
                                + on.path("type").asText() + " "
                                + on.path("name").asText()));
            }
            Set<String> documented = new TreeSet<>();
            USERS.getOrDefault(user.name(), Set.of())
                    .forEach(row -> documented.addAll(expected.getOrDefault(row, Set.of())));
            if (!rights.equals(documented)) {
                problems.add(user + ": expected the rights in security.md " + new TreeSet<>(documented) + ", found "
                        + rights);
            }
            unseen.remove(user.name());
        }
        unseen.forEach(user -> problems.add("there is no KafkaUser " + user));
    }

    /**
     * Requires that services connect to the host name that Strimzi creates, and to the port of an existing listener.
     */
    private static void addresses(Manifests built, String cluster, List<String> problems) {
        Set<String> ports = built.of("Kafka").getFirst().list("/spec/kafka/listeners").stream()
                .map(listener -> listener.path("port").asText())
                .collect(Collectors.toSet());
        for (Manifest deployment : Services.deployments(built)) {
            String configured = Services.environment(deployment, built).getOrDefault("KAFKA_BOOTSTRAP_SERVERS", "");
            String namespace = deployment.text("/metadata/namespace");
            if (ports.stream()
                    .noneMatch(port -> configured.equals(cluster + "-kafka-bootstrap." + namespace + ".svc:" + port))) {
                problems.add(deployment + ": expected the bootstrap address of a Kafka listener, found " + configured);
            }
        }
    }
}
