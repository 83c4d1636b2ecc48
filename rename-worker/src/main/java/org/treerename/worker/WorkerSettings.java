package org.treerename.worker;

import java.time.Duration;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.CooperativeStickyAssignor;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.treerename.runtime.Durations;
import org.treerename.service.ServiceSettings;

/**
 * All settings of a worker.
 *
 * @param shared the settings that every service has
 * @param lockWait the maximum time for which a rename waits for locks of other requests
 * @param afterTimeout the maximum time for which a request waits for a predecessor that has no journal entry, or that
 *     waits for its next delivery
 * @param maxTries the maximum number of tries of a request whose processing fails unexpectedly
 * @param stuckAfter the time without a request to a server after which a rename in progress is treated as stuck
 */
record WorkerSettings(
        ServiceSettings shared,
        Group group,
        Duration lockWait,
        Duration afterTimeout,
        int maxTries,
        ConsumerLimits window,
        Duration stuckAfter) {

    private static final int FETCH_WAIT_MILLIS = 1_000;

    /** The consumer keeps the answer to a fetch in memory in addition to the records in the queues. */
    private static final int FETCH_BYTES = 16 * 1024 * 1024;

    WorkerSettings {
        if (maxTries < 1 || maxTries > 100) {
            throw new IllegalArgumentException("--max-tries must be 1 to 100, was " + maxTries);
        }
        if (!afterTimeout.isPositive()) {
            throw new IllegalArgumentException(
                    "--after-timeout must be greater than 0, was " + Durations.text(afterTimeout));
        }
        if (stuckAfter.compareTo(shared.requestTimeout().multipliedBy(2)) < 0) {
            throw new IllegalArgumentException("--stuck-after must be at least two request timeouts ("
                    + Durations.text(shared.requestTimeout()) + " each), was " + Durations.text(stuckAfter));
        }
    }

    /**
     * Returns the settings of the consumer. The worker commits offsets itself, so that no offset is committed before
     * its request has ended.
     */
    Map<String, Object> consumer() {
        Map<String, Object> configuration = new HashMap<>();
        configuration.put(ConsumerConfig.GROUP_ID_CONFIG, group.id());
        configuration.put(ConsumerConfig.GROUP_PROTOCOL_CONFIG, group.protocol().kafkaName());
        if (group.protocol() == Protocol.CLASSIC) {
            // an eager assignor would revoke every partition at each rebalance
            configuration.put(
                    ConsumerConfig.PARTITION_ASSIGNMENT_STRATEGY_CONFIG, CooperativeStickyAssignor.class.getName());
        }
        configuration.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
        // the broker waits for records for at most this time, and answers immediately if a record is available
        configuration.put(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, FETCH_WAIT_MILLIS);
        configuration.put(ConsumerConfig.FETCH_MAX_BYTES_CONFIG, FETCH_BYTES);
        configuration.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
        configuration.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
        configuration.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
        configuration.put(ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);
        configuration.put(ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);
        return configuration;
    }

    /** The consumer group of all workers, and its group protocol. */
    record Group(String id, Protocol protocol) {}

    /** Kafka's two protocols for consumer groups. */
    enum Protocol {
        CONSUMER,
        CLASSIC;

        String kafkaName() {
            return name().toLowerCase(Locale.ROOT);
        }
    }
}
