package org.treerename.overview;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.treerename.lock.LockMode;
import org.treerename.path.Path;
import org.treerename.process.ProcessState;
import org.treerename.rename.State;

/**
 * A path, and who holds or claims it.
 *
 * @param lock all that stands there
 * @param holders holds first, then claims, each the oldest first; as many of each as was asked for
 */
public record LockedPath(PathLocks lock, List<Holder> holders) {

    /** How a request is in a lock table. */
    public enum By {
        HOLD,
        CLAIM
    }

    /**
     * One who holds or claims.
     *
     * @param holdId null of a claim
     * @param processId of a hold the one that took it, of a claim the one that carries the request; null where the journal knows
     *     none
     * @param process what that process is, which may be dead and {@code LIVE} as long as nobody has judged it; empty where it has
     *     no process document
     * @param askedAt when the log took the request, or its writer asked
     * @param state of the request's journal entry; null where there is none
     * @param counts whether it keeps others out for a reason; what does not is removed by the next sweep of a janitor
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

    public Path path() {
        return lock.path();
    }

    /** How many hold or claim it in all. */
    public int found() {
        return lock.holds().size() + lock.claims().size();
    }

    /** Returns the requests for which a claim waits, each once; none for a hold. */
    public List<String> waitsFor(Holder claiming) {
        PathLocks.Claim claim = claiming.by() == By.HOLD ? null : lock.claims().get(claiming.requestId());
        return claim == null ? List.of() : claim.waitsFor();
    }
}
