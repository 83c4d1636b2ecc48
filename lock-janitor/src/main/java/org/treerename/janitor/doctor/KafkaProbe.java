package org.treerename.janitor.doctor;

import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.DescribeClusterOptions;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.TopicPartitionInfo;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.errors.UnsupportedVersionException;
import org.treerename.store.NoAnswerException;
import org.treerename.store.RefusedException;

/** Reads the brokers, the features and the topics of Kafka. This class changes nothing. */
final class KafkaProbe {

    private static final int FIRST_ANSWER_MILLIS = 5_000;

    private final Admin admin;

    KafkaProbe(Admin admin) {
        this.admin = admin;
    }

    /**
     * Returns the ids of the brokers. This is the first request. If no broker answers it, the other requests would also
     * wait for their whole timeout, so this request has a shorter one.
     */
    List<Integer> brokers() {
        return answer(
                        "the brokers",
                        admin.describeCluster(new DescribeClusterOptions().timeoutMs(FIRST_ANSWER_MILLIS))
                                .nodes())
                .map(nodes -> nodes.stream().map(Node::id).sorted().toList())
                .orElseThrow();
    }

    /**
     * Returns the level of each feature that the cluster has activated; empty if the brokers are too old to return
     * features.
     */
    Map<String, Short> features() {
        Map<String, Short> levels = new HashMap<>();
        try {
            answer("the features of the brokers", admin.describeFeatures().featureMetadata())
                    .ifPresent(features -> features.finalizedFeatures()
                            .forEach((name, range) -> levels.put(name, range.maxVersionLevel())));
        } catch (RefusedException e) {
            if (!(e.getCause() instanceof UnsupportedVersionException)) {
                throw e;
            }
        }
        return levels;
    }

    /** Returns the settings of a broker, or the reason why Kafka does not return them. */
    KafkaConfig broker(int broker) {
        return config(new ConfigResource(ConfigResource.Type.BROKER, String.valueOf(broker)));
    }

    /** Returns the state of a topic; empty if the topic does not exist. */
    Optional<TopicState> topic(String name) {
        Optional<TopicDescription> found = answer(
                        "the topic " + name, admin.describeTopics(List.of(name)).allTopicNames())
                .map(topics -> topics.get(name));
        if (found.isEmpty()) {
            return Optional.empty();
        }
        int replicas = Integer.MAX_VALUE;
        int inSync = Integer.MAX_VALUE;
        for (TopicPartitionInfo partition : found.get().partitions()) {
            replicas = Math.min(replicas, partition.replicas().size());
            inSync = Math.min(
                    inSync, partition.leader() == null ? 0 : partition.isr().size());
        }
        KafkaConfig config = config(new ConfigResource(ConfigResource.Type.TOPIC, name));
        return Optional.of(new TopicState(name, found.get().partitions().size(), replicas, inSync, config));
    }

    private KafkaConfig config(ConfigResource resource) {
        try {
            return answer(
                            "the settings of " + resource.name(),
                            admin.describeConfigs(List.of(resource)).all())
                    .map(all -> Objects.requireNonNull(all.get(resource), resource::name))
                    .map(config -> KafkaConfig.of(values(config)))
                    .orElseGet(() -> KafkaConfig.unreadable(resource.name() + " does not exist any more"));
        } catch (RefusedException e) {
            return KafkaConfig.unreadable(String.valueOf(e.getMessage()));
        }
    }

    private static Map<String, String> values(Config config) {
        Map<String, String> values = new HashMap<>();
        config.entries().forEach(entry -> {
            if (entry.value() != null) {
                values.put(entry.name(), entry.value());
            }
        });
        return values;
    }

    /** Returns the latest time stamp of all records in a topic; empty if the topic has no record. */
    Optional<Instant> latest(TopicState topic) {
        Map<TopicPartition, OffsetSpec> all = new HashMap<>();
        for (int partition = 0; partition < topic.partitions(); partition++) {
            all.put(new TopicPartition(topic.name(), partition), OffsetSpec.maxTimestamp());
        }
        return answer(
                        "the time stamps of " + topic.name(),
                        admin.listOffsets(all).all())
                .flatMap(offsets -> offsets.values().stream()
                        .map(ListOffsetsResultInfo::timestamp)
                        .filter(millis -> millis >= 0)
                        .max(Long::compare))
                .map(Instant::ofEpochMilli);
    }

    private static <T> Optional<T> answer(String what, KafkaFuture<T> future) {
        try {
            return Optional.of(future.get());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new NoAnswerException("interrupted while reading " + what, e);
        } catch (ExecutionException e) {
            Throwable cause = Objects.requireNonNullElse(e.getCause(), e);
            switch (cause) {
                case UnknownTopicOrPartitionException unknown -> {
                    return Optional.empty();
                }
                case AuthorizationException denied ->
                    throw new RefusedException(
                            "Kafka does not allow this user to read " + what + ": " + denied.getMessage(), denied);
                case UnsupportedVersionException old ->
                    throw new RefusedException(
                            "the brokers are too old to return " + what + ": " + old.getMessage(), old);
                default -> throw new NoAnswerException("cannot read " + what + ": " + cause, e);
            }
        } catch (KafkaException e) {
            throw new NoAnswerException("cannot read " + what + ": " + e, e);
        }
    }
}
