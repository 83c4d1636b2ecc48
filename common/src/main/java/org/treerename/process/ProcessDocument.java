package org.treerename.process;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * What a process tells of itself in the control index. It exists before the process holds anything.
 *
 * @param heartbeat raised by each heartbeat
 * @param lease how long after a heartbeat the process may still be taken for live; observers measure it on their own clock
 * @param startedAt for people; nothing is decided by it
 * @param controlIndexUuid the control index that the process believes to work on
 * @param running how many requests the process carries, or may begin; zero only after it has noticed a pause and has ended all
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

    /** Of a process of which no more is known than its id: fenced, so that it never holds anything. */
    static ProcessDocument neverSeen(ProcessId id, Instant now) {
        Instant seenAt = now.truncatedTo(ChronoUnit.MILLIS);
        return new ProcessDocument(id, UNKNOWN, UNKNOWN, ProcessState.FENCED, 0, Lease.SHORTEST, seenAt, UNKNOWN, 0);
    }

    /** Whether it has ended, and was started before {@code since}. */
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
