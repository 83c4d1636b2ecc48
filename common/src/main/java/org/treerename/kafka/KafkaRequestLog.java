package org.treerename.kafka;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.treerename.installation.Installation;
import org.treerename.request.RequestLog;
import org.treerename.store.NoAnswerException;
import org.treerename.store.RefusedException;

/** Reads the settings and the offsets of the topic {@link Installation#requests}. */
public final class KafkaRequestLog implements RequestLog, AutoCloseable {

    private static final int ANSWER_MILLIS = 10_000;
    private static final Duration CLOSING = Duration.ofSeconds(5);

    private final Admin admin;
    private final String name;
    private final String groupId;

    private KafkaRequestLog(Admin admin, String name, String groupId) {
        this.admin = admin;
        this.name = name;
        this.groupId = groupId;
    }

    /**
     * Creates a client that connects at its first use.
     *
     * @param groupId the consumer group of the workers
     */
    public static KafkaRequestLog connect(KafkaClientSettings settings, String groupId) {
        Map<String, Object> decided = Map.of(
                AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, ANSWER_MILLIS,
                AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, ANSWER_MILLIS);
        return new KafkaRequestLog(
                settings.client(decided, Admin::create), settings.installation().requests(), groupId);
    }

    /**
     * Returns the current settings of the topic; empty if the topic does not exist.
     *
     * @throws NoAnswerException if Kafka does not answer
     * @throws RefusedException if this process is not authorized
     */
    public Optional<RequestTopic> topic() {
        return answered("the settings of " + name, this::config);
    }

    private RequestTopic config() throws InterruptedException, ExecutionException {
        ConfigResource topic = new ConfigResource(ConfigResource.Type.TOPIC, name);
        Config config = Objects.requireNonNull(
                admin.describeConfigs(List.of(topic)).all().get().get(topic), name);
        return new RequestTopic(
                name,
                config.get(TopicConfig.CLEANUP_POLICY_CONFIG).value(),
                Long.parseLong(config.get(TopicConfig.RETENTION_MS_CONFIG).value()),
                Long.parseLong(config.get(TopicConfig.RETENTION_BYTES_CONFIG).value()),
                config.get(TopicConfig.MESSAGE_TIMESTAMP_TYPE_CONFIG).value());
    }

    /** A request to Kafka that blocks until the answer arrives. */
    @FunctionalInterface
    private interface Query<T> {
        T run() throws InterruptedException, ExecutionException;
    }

    private static <T> Optional<T> answered(String what, Query<T> query) {
        try {
            return Optional.of(query.run());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new NoAnswerException("interrupted while reading " + what, e);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof UnknownTopicOrPartitionException) {
                return Optional.empty();
            }
            if (e.getCause() instanceof AuthenticationException authenticationFailed) {
                throw KafkaEntry.refused(authenticationFailed);
            }
            if (e.getCause() instanceof AuthorizationException) {
                throw new RefusedException("cannot read " + what + ": " + e.getCause());
            }
            throw new NoAnswerException("cannot read " + what + ": " + e.getCause(), e);
        } catch (KafkaException e) {
            throw new NoAnswerException("cannot read " + what + ": " + e, e);
        }
    }

    /** Throws NoAnswerException also if Kafka refuses the request, or if the topic does not exist. */
    private <T> T expected(String what, Query<T> query) {
        try {
            return answered(what, query)
                    .orElseThrow(
                            () -> new NoAnswerException("expected the topic " + name + " in Kafka, found none", null));
        } catch (RefusedException e) {
            throw new NoAnswerException(String.valueOf(e.getMessage()), e);
        }
    }

    /**
     * Returns whether the workers have finished all records that are older than the given time. In each partition, the
     * committed offset must be at or after the first record that is not older. If all records are older, the committed
     * offset must be at the end of the partition. Records that Kafka has deleted are treated as finished.
     */
    @Override
    public boolean isFinishedBefore(Instant time) {
        Map<String, Long> committed = committed();
        Map<TopicPartition, ListOffsetsResultInfo> ends = offsets(OffsetSpec.latest());
        Map<TopicPartition, ListOffsetsResultInfo> begins = offsets(OffsetSpec.earliest());
        Map<TopicPartition, ListOffsetsResultInfo> firsts = offsets(OffsetSpec.forTimestamp(time.toEpochMilli()));
        return ends.entrySet().stream().allMatch(end -> {
            TopicPartition partition = end.getKey();
            ListOffsetsResultInfo first = firsts.get(partition);
            ListOffsetsResultInfo begin = begins.get(partition);
            long needed = first == null || first.offset() < 0 ? end.getValue().offset() : first.offset();
            long finished =
                    Math.max(committed.getOrDefault(partition.toString(), 0L), begin == null ? 0 : begin.offset());
            return finished >= needed;
        });
    }

    private Map<TopicPartition, ListOffsetsResultInfo> offsets(OffsetSpec which) {
        return expected(
                "the offsets of " + name,
                () -> admin.listOffsets(ofEachPartition(which)).all().get());
    }

    private Map<TopicPartition, OffsetSpec> ofEachPartition(OffsetSpec which)
            throws InterruptedException, ExecutionException {
        TopicDescription described = Objects.requireNonNull(
                admin.describeTopics(List.of(name)).allTopicNames().get().get(name), name);
        Map<TopicPartition, OffsetSpec> offsets = new HashMap<>();
        described
                .partitions()
                .forEach(partition -> offsets.put(new TopicPartition(name, partition.partition()), which));
        return offsets;
    }

    /**
     * Returns the committed offset of each partition. The keys are the names of the partitions, for example {@code
     * rename.requests-0}. The workers have finished every request before the committed offset. A partition without a
     * committed offset is left out.
     */
    public Map<String, Long> committed() {
        Map<TopicPartition, OffsetAndMetadata> offsets = expected(
                "the committed offsets of the group " + groupId,
                () -> admin.listConsumerGroupOffsets(groupId)
                        .partitionsToOffsetAndMetadata()
                        .get());
        Map<String, Long> committed = new HashMap<>();
        offsets.forEach((partition, offset) -> {
            if (offset != null) {
                committed.put(partition.toString(), offset.offset());
            }
        });
        return committed;
    }

    @Override
    public Optional<Duration> retention() {
        return expected("the settings of " + name, this::config).kept();
    }

    @Override
    public void close() {
        admin.close(CLOSING);
    }
}
