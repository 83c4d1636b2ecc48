package org.treerename.producer;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.treerename.runtime.Time;

/**
 * Assigns the partitions of the topic of outcomes to a consumer, and sets the start position of the consumer. Only one
 * thread at a time may use this class.
 */
final class OutcomeAssignment {

    private static final Logger log = LoggerFactory.getLogger(OutcomeAssignment.class);

    private final OutcomeStart start;
    private final String topic;
    private final Duration partitionCheck;
    private final Time time;
    private long checkedNanos;

    OutcomeAssignment(OutcomeStart start, ProducerSettings settings, Time time) {
        this.start = start;
        this.topic = settings.installation().outcomes();
        this.partitionCheck = settings.partitionCheck();
        this.time = time;
    }

    /**
     * Returns whether the consumer belongs to a group. For a group, Kafka assigns the partitions and stores the
     * positions.
     */
    boolean isOfGroup() {
        return start instanceof OutcomeStart.Group;
    }

    /**
     * Sets the start position of the consumer. For a group, Kafka sets this position.
     *
     * @throws org.apache.kafka.common.KafkaException if Kafka does not answer in time
     */
    void begin(Consumer<String, String> consumer, List<TopicPartition> partitions, Duration timeout) {
        switch (start) {
            case OutcomeStart.Group group -> consumer.subscribe(List.of(topic));
            case OutcomeStart.End end -> {
                consumer.assign(partitions);
                consumer.endOffsets(partitions, timeout).forEach(consumer::seek);
            }
            case OutcomeStart.After after -> {
                consumer.assign(partitions);
                consumer.seekToBeginning(partitions);
                seek(consumer, partitions, after.offsets());
            }
        }
        checkedNanos = time.nanos();
    }

    private static void seek(
            Consumer<String, String> consumer, Collection<TopicPartition> partitions, Map<Integer, Long> processed) {
        for (TopicPartition partition : partitions) {
            Long offset = processed.get(partition.partition());
            if (offset != null) {
                consumer.seek(partition, offset + 1);
            }
        }
    }

    /**
     * Assigns new partitions, if the last check was long enough ago. A new partition is read from its beginning,
     * because the program has read no outcome of this partition. For a group, this method does nothing, because Kafka
     * assigns new partitions.
     */
    void addNewPartitions(Consumer<String, String> consumer) {
        if (isOfGroup() || time.nanos() - checkedNanos < partitionCheck.toNanos()) {
            return;
        }
        checkedNanos = time.nanos();
        List<TopicPartition> added = partitions(consumer.partitionsFor(topic));
        added.removeAll(consumer.assignment());
        if (!added.isEmpty()) {
            List<TopicPartition> all = new ArrayList<>(consumer.assignment());
            all.addAll(added);
            consumer.assign(all);
            consumer.seekToBeginning(added);
            log.info("found new partitions {}; reading them from the beginning", added);
        }
    }

    static List<TopicPartition> partitions(List<PartitionInfo> found) {
        List<TopicPartition> partitions = new ArrayList<>();
        found.forEach(info -> partitions.add(new TopicPartition(info.topic(), info.partition())));
        return partitions;
    }
}
