package org.treerename.endtoend;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.function.BinaryOperator;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ConsumerGroupDescription;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.GroupState;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.GroupIdNotFoundException;
import org.awaitility.Awaitility;
import org.treerename.testservers.TestServers;
import org.treerename.wire.TopicCreation;
import org.treerename.wire.Topics;

/** A consumer group of one test, which sees nothing of what other tests have asked for. */
final class Group {

    private final String id = "group-" + UUID.randomUUID();
    private final String servers;

    private Group(String servers) {
        this.servers = servers;
    }

    /** Creates one that has committed all that is in the request topic now; creates the topics if there are none. */
    static Group atTheEndOfTheLog() {
        return atTheEndOfTheLog(TestServers.kafkaBootstrapServers());
    }

    /** Creates one on other brokers. */
    static Group atTheEndOfTheLog(String servers) {
        Group group = new Group(servers);
        try (Admin admin = group.admin()) {
            TopicCreation.create(admin, Log.PARTITIONS, (short) 1);
            Map<TopicPartition, OffsetSpec> asked = new HashMap<>();
            admin.describeTopics(List.of(Topics.REQUESTS)).allTopicNames().get().values().stream()
                    .flatMap(topic -> topic.partitions().stream())
                    .forEach(p -> asked.put(new TopicPartition(Topics.REQUESTS, p.partition()), OffsetSpec.latest()));
            Map<TopicPartition, OffsetAndMetadata> ends = new HashMap<>();
            admin.listOffsets(asked)
                    .all()
                    .get()
                    .forEach((partition, end) -> ends.put(partition, new OffsetAndMetadata(end.offset())));
            admin.alterConsumerGroupOffsets(group.id, ends).all().get();
        } catch (InterruptedException | ExecutionException e) {
            throw new IllegalStateException(e);
        }
        return group;
    }

    /** A new one to which these records are delivered, and what follows them in their partitions; nothing else. */
    static Group rewoundTo(List<RecordMetadata> places) {
        Group group = atTheEndOfTheLog();
        Map<TopicPartition, OffsetAndMetadata> begins = new HashMap<>();
        places.forEach(place -> begins.merge(
                new TopicPartition(place.topic(), place.partition()),
                new OffsetAndMetadata(place.offset()),
                BinaryOperator.minBy(Comparator.comparingLong(OffsetAndMetadata::offset))));
        try (Admin admin = group.admin()) {
            admin.alterConsumerGroupOffsets(group.id, begins).all().get();
        } catch (InterruptedException | ExecutionException e) {
            throw new IllegalStateException(e);
        }
        return group;
    }

    /** For a worker's command line. */
    String option() {
        return "--group-id=" + id;
    }

    /** Whether a worker has let this record go. */
    boolean isPast(RecordMetadata place) {
        try (Admin admin = admin()) {
            OffsetAndMetadata committed = admin.listConsumerGroupOffsets(id)
                    .partitionsToOffsetAndMetadata()
                    .get()
                    .get(new TopicPartition(place.topic(), place.partition()));
            return committed != null && committed.offset() > place.offset();
        } catch (InterruptedException | ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Returns when so many workers are in the group, each has partitions, and no partition is on its way to another. */
    void awaitShared(int workers) {
        try (Admin admin = admin()) {
            Awaitility.await(workers + " workers share the partitions")
                    .atMost(Log.PATIENCE)
                    .until(() -> described(admin)
                            .filter(group -> group.groupState() == GroupState.STABLE)
                            .filter(group -> group.members().size() == workers)
                            .filter(group -> group.members().stream()
                                    .noneMatch(member -> member.assignment()
                                            .topicPartitions()
                                            .isEmpty()))
                            .isPresent());
        }
    }

    /** Empty before the first worker has joined: until then the group has offsets only, and Kafka does not call it a consumer group. */
    private Optional<ConsumerGroupDescription> described(Admin admin) throws InterruptedException, ExecutionException {
        try {
            return admin.describeConsumerGroups(List.of(id)).all().get().values().stream()
                    .findFirst();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof GroupIdNotFoundException) {
                return Optional.empty();
            }
            throw e;
        }
    }

    private Admin admin() {
        return Admin.create(Map.of("bootstrap.servers", servers));
    }
}
