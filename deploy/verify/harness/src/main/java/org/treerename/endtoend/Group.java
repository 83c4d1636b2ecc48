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
import org.treerename.installation.Installation;
import org.treerename.janitor.admin.TopicCreation;
import org.treerename.testservers.TestServers;

/** The consumer group of the workers of one test. The group does not read the requests of earlier tests. */
final class Group {

    private final String id = "group-" + UUID.randomUUID();
    private final String servers;

    private Group(String servers) {
        this.servers = servers;
    }

    /**
     * Creates a group that begins at the current end of the request topic. Creates the topics of the installation if
     * they do not exist.
     */
    static Group atTheEndOfTheLog() {
        return atTheEndOfTheLog(TestServers.kafkaBootstrapServers());
    }

    /** Creates a group on these brokers. The group begins at the current end of the request topic. */
    static Group atTheEndOfTheLog(String servers) {
        Group group = new Group(servers);
        try (Admin admin = group.admin()) {
            TopicCreation.create(admin, Installation.DEFAULT, Log.PARTITIONS, (short) 1);
            Map<TopicPartition, OffsetSpec> asked = new HashMap<>();
            admin.describeTopics(List.of(Installation.DEFAULT.requests())).allTopicNames().get().values().stream()
                    .flatMap(topic -> topic.partitions().stream())
                    .forEach(p -> asked.put(
                            new TopicPartition(Installation.DEFAULT.requests(), p.partition()), OffsetSpec.latest()));
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

    /** Creates a group that begins at these records. In all other partitions, the group begins at the current end. */
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

    String id() {
        return id;
    }

    /** Returns the option that names this group on the command line of a worker. */
    String option() {
        return "--group-id=" + id;
    }

    /** Returns whether the group has committed the offset of this record. */
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

    /**
     * Blocks until the group has this number of workers, each worker has partitions, and no rebalance is in progress.
     */
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

    /** Returns empty before the first worker has joined: until then, Kafka answers that the group does not exist. */
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
