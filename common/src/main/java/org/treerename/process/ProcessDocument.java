package org.treerename.process;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * The document of one process in the control index. The document exists before the process holds any lock.
 *
 * @param heartbeat the counter that each heartbeat increments
 * @param lease the time after a heartbeat during which the process is treated as live; janitors measure this time on
 *     their own clocks
 * @param startedAt the start of the process; for people, and for the deletion of old documents
 * @param controlIndexUuid the uuid of the control index that the process uses
 * @param running the number of requests that the process has in progress or may start. The number is zero only after
 *     the process has received a pause and all its requests have ended
 */
public record ProcessDocument(
        ProcessId id,
        String service,
        String host,
        ProcessState state,
        long heartbeat,
        Duration lease,
        Instant startedAt,
        String controlIndexUuid,
        int running) {

    private static final String UNKNOWN = "unknown";

    public static ProcessDocument live(
            ProcessId id, String service, String host, Duration lease, Instant startedAt, String controlIndexUuid) {
        return new ProcessDocument(id, service, host, ProcessState.LIVE, 0, lease, startedAt, controlIndexUuid, 0);
    }

    /**
     * Returns the document of a process of which only the id is known. The document has the state fenced, so the
     * process can never hold a lock.
     */
    static ProcessDocument neverSeen(ProcessId id, Instant now) {
        Instant seenAt = now.truncatedTo(ChronoUnit.MILLIS);
        return new ProcessDocument(id, UNKNOWN, UNKNOWN, ProcessState.FENCED, 0, Lease.SHORTEST, seenAt, UNKNOWN, 0);
    }

    /** Returns whether the process has ended and was started before {@code since}. */
    public boolean isOver(Instant since) {
        return state != ProcessState.LIVE && startedAt.isBefore(since);
    }

    public ProcessDocument nextHeartbeat(int nowRunning) {
        return new ProcessDocument(
                id, service, host, state, heartbeat + 1, lease, startedAt, controlIndexUuid, nowRunning);
    }

    public ProcessDocument in(ProcessState next) {
        return new ProcessDocument(id, service, host, next, heartbeat + 1, lease, startedAt, controlIndexUuid, running);
    }
}
