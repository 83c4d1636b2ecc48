package org.treerename.janitor;

import java.time.Duration;
import org.treerename.process.Lease;

/**
 * What one may set of a janitor's own work.
 *
 * @param groupId the consumer group of the workers
 * @param sweepEvery from one look at every lock table to the next
 * @param parkedEvery from one try of a parked rename to the next
 * @param journalRetention how long the journal entry of a closed rename is kept, at least
 * @param processRetention how long the document of a process that has ended is kept, since the start of the process
 * @param auditEvery from one audit to the next; zero for never
 */
public record JanitorSettings(
        Lease lease,
        String groupId,
        Duration sweepEvery,
        Duration parkedEvery,
        Duration journalRetention,
        Duration processRetention,
        Duration auditEvery) {

    private static final int TICKS_PER_LEASE = 6;

    /** From the beginning of one look at all processes and renames to that of the next. */
    public Duration tick() {
        return lease.length().dividedBy(TICKS_PER_LEASE);
    }
}
