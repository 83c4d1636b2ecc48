package org.treerename.overview;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.treerename.journal.State;
import org.treerename.lock.LockMode;
import org.treerename.path.TreePath;
import org.treerename.process.ProcessState;

/**
 * A path, and the requests that hold or claim it.
 *
 * @param lock all holds and claims at the path
 * @param holders the oldest holds, followed by the oldest claims; the caller limits the number of holds and the number
 *     of claims
 */
public record LockedPath(PathLocks lock, List<Holder> holders) {

    /** The relation of a request to a path: the request holds the path or claims the path. */
    public enum By {
        HOLD,
        CLAIM
    }

    /**
     * A request that holds or claims a path.
     *
     * @param holdId the hold id; null for a claim
     * @param processId the process that acquired the hold or, for a claim, the process that owns the request; null for
     *     a claim without a journal entry
     * @param process the state of that process; empty if the process has no process document. A dead process is {@code
     *     LIVE} until it is fenced
     * @param askedAt the time at which the request was appended to Kafka's log, or at which the writer requested the
     *     lock
     * @param state the state of the request's journal entry; null if there is no entry
     * @param counts whether the hold or claim is still valid; a janitor removes a hold or claim that is not valid
     */
    public record Holder(
            By by,
            LockMode mode,
            String requestId,
            @Nullable String holdId,
            @Nullable String processId,
            Optional<ProcessState> process,
            Instant askedAt,
            @Nullable State state,
            boolean counts) {}

    public LockedPath {
        holders = List.copyOf(holders);
    }

    public String namespace() {
        return lock.namespace();
    }

    public TreePath path() {
        return lock.path();
    }

    /** Returns the number of all holds and claims at the path. */
    public int found() {
        return lock.holds().size() + lock.claims().size();
    }

    /**
     * Returns the ids of the requests for which a claim waits, without duplicates. Returns an empty list for a hold.
     */
    public List<String> waitsFor(Holder claiming) {
        PathLocks.Claim claim = claiming.by() == By.HOLD ? null : lock.claims().get(claiming.requestId());
        return claim == null ? List.of() : claim.waitsFor();
    }
}
