package org.treerename.janitor;

import java.time.Duration;
import org.treerename.process.Lease;

/**
 * The settings of a janitor.
 *
 * @param groupId the consumer group of the workers
 * @param sweepEvery the time between two sweeps of all lock tables
 * @param cleanupEvery the time between two deletions of old process documents and journal entries
 * @param parkedEvery the time between two tries to finish a parked rename
 * @param journalRetention the minimum time for which the journal entry of a closed rename is kept
 * @param processRetention the time for which the process document of an ended process is kept, measured from the start
 *     of the process
 * @param auditEvery the time between two audits; zero for no audits
 */
public record JanitorSettings(
        Lease lease,
        String groupId,
        Duration sweepEvery,
        Duration cleanupEvery,
        Duration parkedEvery,
        Duration journalRetention,
        Duration processRetention,
        Duration auditEvery) {

    private static final int TICKS_PER_LEASE = 6;

    /** Returns the time from the beginning of one tick to the beginning of the next tick. */
    public Duration tick() {
        return lease.length().dividedBy(TICKS_PER_LEASE);
    }
}
