package org.treerename.janitor;

import java.time.Duration;
import org.treerename.process.Lease;
import org.treerename.rename.PacedTreeStore;

/**
 * Everything about a janitor that one may set.
 *
 * @param requestTimeout of one request to Elasticsearch
 * @param elasticsearchRequests under way at once
 * @param documentsPerSecond moved by all renames together; 0 for no limit
 * @param pageSize documents read and written at once
 * @param maxPasses after how many passes one without a refused write is enough
 * @param sweepEvery from one look at every lock document to the next
 * @param parkedEvery from one try of a parked rename to the next
 * @param journalRetention how long the journal entry of a closed rename is kept, at least
 * @param processRetention how long the document of a process that has ended is kept, since the start of the process
 * @param shutdownGrace how long a stopping janitor may go on with what it has begun
 */
public record JanitorSettings(
        String kafkaBootstrapServers,
        String elasticsearchUrl,
        Duration requestTimeout,
        int elasticsearchRequests,
        int documentsPerSecond,
        Lease lease,
        int pageSize,
        int maxPasses,
        Duration sweepEvery,
        Duration parkedEvery,
        Duration journalRetention,
        Duration processRetention,
        Duration shutdownGrace) {

    private static final int TICKS_PER_LEASE = 6;

    public JanitorSettings {
        PacedTreeStore.requireLimit(documentsPerSecond);
    }

    /** From the beginning of one look at all processes and renames to that of the next. */
    public Duration tick() {
        return lease.length().dividedBy(TICKS_PER_LEASE);
    }
}
