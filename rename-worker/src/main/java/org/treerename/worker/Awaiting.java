package org.treerename.worker;

import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.treerename.rename.Predecessors.Standing;

/**
 * What one request waits for: that those that it names have ended. Bookkeeping and decision only; one thread calls it.
 *
 * <p>A request that has ended itself waits for nobody: it is delivered again and answered from the journal, also where the
 * journal has forgotten those that it came after.
 */
final class Awaiting {

    /** What the last look has told. */
    sealed interface Decision {

        /** It may begin. */
        record Go() implements Decision {}

        record Later() implements Decision {}

        /** No look has shown an entry of this one, for as long as it is waited for. */
        record Missing(String requestId) implements Decision {}
    }

    private final String requestId;

    /** Those that have not been seen to have ended. */
    private final Set<String> awaited;

    /** Of which an entry was seen: such a one is never missing, however long it takes. */
    private final Set<String> seen = new LinkedHashSet<>();

    private OptionalLong lastLookNanos = OptionalLong.empty();
    private long waitedNanos;

    Awaiting(String requestId, List<String> after) {
        this.requestId = requestId;
        this.awaited = new LinkedHashSet<>(after);
    }

    /** How many have not been seen to have ended. */
    int awaited() {
        return awaited.size();
    }

    /** The requests to look at. */
    Set<String> asks() {
        Set<String> asks = new LinkedHashSet<>(awaited);
        asks.add(requestId);
        return asks;
    }

    /**
     * Decides by an answered look.
     *
     * @param timeout how long it is waited for a first entry; only time between answered looks counts, so that an outage
     *     of the journal makes nobody unknown
     */
    Decision looked(Map<String, Standing> standings, long nowNanos, Duration timeout) {
        waitedNanos += nowNanos - lastLookNanos.orElse(nowNanos);
        lastLookNanos = OptionalLong.of(nowNanos);
        standings.forEach((id, standing) -> {
            if (standing != Standing.MISSING) {
                seen.add(id);
            }
        });
        awaited.removeIf(id -> standings.get(id) == Standing.ENDED);
        if (awaited.isEmpty() || standings.get(requestId) == Standing.ENDED) {
            return new Decision.Go();
        }
        Optional<String> missing =
                awaited.stream().filter(id -> !seen.contains(id)).findFirst();
        return missing.isPresent() && waitedNanos >= timeout.toNanos()
                ? new Decision.Missing(missing.get())
                : new Decision.Later();
    }

    /** The time since the last look does not count: the look got no answer, or no request could begin. */
    void unanswered() {
        lastLookNanos = OptionalLong.empty();
    }

    /** There is an entry of this one after all. */
    void seen(String missing) {
        seen.add(missing);
    }
}
