package org.treerename.worker;

import java.time.Duration;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.CooperativeStickyAssignor;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.treerename.process.Lease;
import org.treerename.rename.PacedTreeStore;

/**
 * Everything about a worker that one may set.
 *
 * @param requestTimeout of one request to Elasticsearch
 * @param elasticsearchRequests under way at once
 * @param documentsPerSecond moved by all renames together; 0 for no limit
 * @param lockWait how long a rename waits for locks that others hold
 * @param pageSize documents read and written at once
 * @param maxPasses after how many passes one without a refused write is enough
 * @param maxTries how often a request is tried whose work fails unexpectedly
 * @param stuckAfter after how long without a request to a server a rename under way is taken for stuck
 * @param shutdownGrace how long a stopping worker may go on with what it has begun
 */
record WorkerSettings(
        String kafkaBootstrapServers,
        String elasticsearchUrl,
        Duration requestTimeout,
        int elasticsearchRequests,
        int documentsPerSecond,
        Group group,
        Lease lease,
        Duration lockWait,
        int pageSize,
        int maxPasses,
        int maxTries,
        Window window,
        Duration stuckAfter,
        Duration shutdownGrace) {

    WorkerSettings {
        PacedTreeStore.requireLimit(documentsPerSecond);
        if (maxTries < 1 || maxTries > 100) {
            throw new IllegalArgumentException("a request is tried 1 to 100 times, found " + maxTries);
        }
        if (stuckAfter.compareTo(requestTimeout.multipliedBy(2)) < 0) {
            throw new IllegalArgumentException("a rename is stuck after at least two request time-outs ("
                    + requestTimeout + " each), found " + stuckAfter);
        }
    }

    /** Of the consumer of requests. Offsets are committed by hand, so that none is let go before its request has ended. */
    Map<String, Object> consumer() {
        Map<String, Object> configuration = new HashMap<>();
        configuration.put(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, kafkaBootstrapServers);
        configuration.put(ConsumerConfig.GROUP_ID_CONFIG, group.id());
        configuration.put(ConsumerConfig.GROUP_PROTOCOL_CONFIG, group.protocol().kafkaName());
        if (group.protocol() == Protocol.CLASSIC) {
            // the eager ones take every partition away at each rebalance
            configuration.put(
                    ConsumerConfig.PARTITION_ASSIGNMENT_STRATEGY_CONFIG, CooperativeStickyAssignor.class.getName());
        }
        configuration.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
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
