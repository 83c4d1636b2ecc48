package org.treerename.worker;

import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Stream;
import org.treerename.rename.Predecessors.Standing;
import org.treerename.rename.UnmetDependency;

/**
 * What one request waits for: that those that it names have ended. Bookkeeping and decision only; one thread calls it.
 *
 * <p>A request that has ended itself waits for nobody: it is delivered again and answered from the journal, also where the
 * journal has forgotten those that it came after.
 */
final class DependencyCheck {

    /** What the last look has told. */
    sealed interface Decision {

        /** It may begin. */
        record Go() implements Decision {}

        record Later() implements Decision {}

        /** This one keeps it from being attempted, for as long as it is waited for. */
        record Blocked(UnmetDependency by) implements Decision {}
    }

    /**
     * How long a request waits.
     *
     * @param unknown for a first entry of a request that it names, and for one that was given back
     * @param parked for a request that is parked
     */
    record Patience(Duration unknown, Duration parked) {}

    private final String requestId;

    /** Those that have not been seen to have ended. */
    private final Set<String> awaited;

    /** Of which an entry was seen: such a one is never missing. */
    private final Set<String> seen = new LinkedHashSet<>();

    private OptionalLong lastLookNanos = OptionalLong.empty();
    private long waitedNanos;

    private final Streak parked = new Streak(Standing.PARKED);
    private final Streak givenBack = new Streak(Standing.GIVEN_BACK);

    /** How long each look has shown one of them with the same standing. */
    private static final class Streak {
        private final Standing standing;
        private long nanos;

        Streak(Standing standing) {
            this.standing = standing;
        }

        /** Returns one with this standing, if each look has shown one for that long. */
        Optional<String> of(Set<String> awaited, Map<String, Standing> standings, long passedNanos, Duration patience) {
            Optional<String> found =
                    awaited.stream().filter(id -> standings.get(id) == standing).findFirst();
            nanos = found.isPresent() ? nanos + passedNanos : 0;
            return found.filter(id -> nanos >= patience.toNanos());
        }
    }

    DependencyCheck(String requestId, List<String> after) {
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
     * Decides by an answered look. Only time between answered looks counts, so that an outage of the journal makes no request
     * unknown.
     */
    Decision looked(Map<String, Standing> standings, long nowNanos, Patience patience) {
        long passedNanos = nowNanos - lastLookNanos.orElse(nowNanos);
        waitedNanos += passedNanos;
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
        Optional<UnmetDependency> unmet = Stream.of(
                        parked.of(awaited, standings, passedNanos, patience.parked())
                                .map(UnmetDependency::parked),
                        givenBack
                                .of(awaited, standings, passedNanos, patience.unknown())
                                .map(UnmetDependency::givenBack),
                        missing(patience).map(UnmetDependency::unknown))
                .flatMap(Optional::stream)
                .findFirst();
        return unmet.<Decision>map(Decision.Blocked::new).orElseGet(Decision.Later::new);
    }

    private Optional<String> missing(Patience patience) {
        return awaited.stream()
                .filter(id -> !seen.contains(id))
                .findFirst()
                .filter(id -> waitedNanos >= patience.unknown().toNanos());
    }

    /** The time since the last look does not count: the look got no answer, or no request could begin. */
    void unanswered() {
        lastLookNanos = OptionalLong.empty();
    }

    /** This one has an entry that is carried, after all. */
    void seen(String requestId) {
        seen.add(requestId);
        parked.nanos = 0;
        givenBack.nanos = 0;
    }
}
