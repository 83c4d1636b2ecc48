package org.treerename.process;

import java.time.Duration;
import java.time.Instant;

/**
 * What a process tells of itself in the control index. It exists before the process holds anything.
 *
 * @param heartbeat raised by each heartbeat
 * @param lease how long after a heartbeat the process may still be taken for live; observers measure it on their own clock
 * @param startedAt for people; nothing is decided by it
 * @param controlIndexUuid the control index that the process believes to work on
 */
public record ProcessDocument(
        ProcessId id,
        String service,
        String host,
        ProcessState state,
        long heartbeat,
        Duration lease,
        Instant startedAt,
        String controlIndexUuid) {

    public static ProcessDocument live(
            ProcessId id, String service, String host, Duration lease, Instant startedAt, String controlIndexUuid) {
        return new ProcessDocument(id, service, host, ProcessState.LIVE, 0, lease, startedAt, controlIndexUuid);
    }

    /** Whether it has ended, and was started before {@code since}. */
    public boolean isOver(Instant since) {
        return state != ProcessState.LIVE && startedAt.isBefore(since);
    }

    public ProcessDocument nextHeartbeat() {
        return new ProcessDocument(id, service, host, state, heartbeat + 1, lease, startedAt, controlIndexUuid);
    }

    public ProcessDocument in(ProcessState next) {
        return new ProcessDocument(id, service, host, next, heartbeat + 1, lease, startedAt, controlIndexUuid);
    }
}
