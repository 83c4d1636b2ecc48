package org.treerename.worker;

import java.time.Duration;
import java.util.Locale;
import org.treerename.process.Lease;

/**
 * Everything about a worker that one may set.
 *
 * @param requestTimeout of one request to Elasticsearch
 * @param lockWait how long a rename waits for locks that others hold
 * @param pageSize documents read and written at once
 * @param maxPasses after how many passes one without a refused write is enough
 * @param stuckAfter after how long without a request to a server a rename under way is taken for stuck
 * @param shutdownGrace how long a stopping worker may go on with what it has begun
 */
record WorkerSettings(
        String kafkaBootstrapServers,
        String elasticsearchUrl,
        Duration requestTimeout,
        Group group,
        Lease lease,
        Duration lockWait,
        int pageSize,
        int maxPasses,
        Duration stuckAfter,
        Duration shutdownGrace) {

    WorkerSettings {
        if (stuckAfter.compareTo(requestTimeout.multipliedBy(2)) < 0) {
            throw new IllegalArgumentException("a rename is stuck after at least two request time-outs ("
                    + requestTimeout + " each), found " + stuckAfter);
        }
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
