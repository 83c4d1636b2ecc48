package org.treerename.worker;

import java.time.Duration;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.CooperativeStickyAssignor;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.treerename.host.ServiceSettings;

/**
 * Everything about a worker that one may set.
 *
 * @param shared by every service
 * @param lockWait how long a rename waits for locks that others hold
 * @param afterTimeout how long a request waits for an entry of one that it is to come after
 * @param maxTries how often a request is tried whose work fails unexpectedly
 * @param stuckAfter after how long without a request to a server a rename under way is taken for stuck
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

    /** What a broker sends at once at most; the consumer keeps it beside what the window holds. */
    private static final int FETCH_BYTES = 16 * 1024 * 1024;

    WorkerSettings {
        if (maxTries < 1 || maxTries > 100) {
            throw new IllegalArgumentException("a request is tried 1 to 100 times, found " + maxTries);
        }
        if (!afterTimeout.isPositive()) {
            throw new IllegalArgumentException(
                    "a request waits for a while for those that it is to come after, found " + afterTimeout);
        }
        if (stuckAfter.compareTo(shared.requestTimeout().multipliedBy(2)) < 0) {
            throw new IllegalArgumentException("a rename is stuck after at least two request time-outs ("
                    + shared.requestTimeout() + " each), found " + stuckAfter);
        }
    }

    /** What this project decides of the consumer of requests. Offsets are committed by hand, so that none is let go before its request has ended. */
    Map<String, Object> consumer() {
        Map<String, Object> configuration = new HashMap<>();
        configuration.put(ConsumerConfig.GROUP_ID_CONFIG, group.id());
        configuration.put(ConsumerConfig.GROUP_PROTOCOL_CONFIG, group.protocol().kafkaName());
        if (group.protocol() == Protocol.CLASSIC) {
            // the eager ones take every partition away at each rebalance
            configuration.put(
                    ConsumerConfig.PARTITION_ASSIGNMENT_STRATEGY_CONFIG, CooperativeStickyAssignor.class.getName());
        }
        configuration.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
        // a record is handed over at once all the same
        configuration.put(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, FETCH_WAIT_MILLIS);
        configuration.put(ConsumerConfig.FETCH_MAX_BYTES_CONFIG, FETCH_BYTES);
        configuration.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
        configuration.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
        configuration.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
        configuration.put(ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);
        configuration.put(ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);
        return configuration;
    }

    /** The consumer group of all workers, and the protocol that it speaks. */
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
