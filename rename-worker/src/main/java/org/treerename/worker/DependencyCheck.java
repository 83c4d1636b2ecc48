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
 * Decides whether one request may begin: when the requests that it names have ended. It contains bookkeeping and the decision only.
 * One thread calls it.
 *
 * <p>A request that has ended itself waits for no other request. Kafka delivers it again, and the worker answers it from the journal,
 * even if the journal has deleted the requests that it came after.
 */
final class DependencyCheck {

    /** The result of the last check. */
    sealed interface Decision {

        /** The request may begin. */
        record Go() implements Decision {}

        /** The request waits for the next check. */
        record Later() implements Decision {}

        /** The request has waited for this predecessor for the whole limit, and so ends without an attempt. */
        record Blocked(UnmetDependency by) implements Decision {}
    }

    /**
     * How long a request waits.
     *
     * @param unknown how long it waits for the first journal entry of a request that it names, and for one that was given back
     * @param parked how long it waits for a parked request
     */
    record Patience(Duration unknown, Duration parked) {}

    private final String requestId;

    /** The requests whose end no check has found yet. */
    private final Set<String> awaited;

    /** The requests of which a check found an entry. They never count as missing. */
    private final Set<String> seen = new LinkedHashSet<>();

    private OptionalLong lastCheckNanos = OptionalLong.empty();
    private long waitedNanos;

    private final Streak parked = new Streak(Standing.PARKED);
    private final Streak givenBack = new Streak(Standing.GIVEN_BACK);

    /** For how long each check has found a predecessor with one standing. */
    private static final class Streak {
        private final Standing standing;
        private long nanos;

        Streak(Standing standing) {
            this.standing = standing;
        }

        /** Returns a predecessor with this standing if each check has found one for the given time. */
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

    /** Returns for how many requests no check has found the end. */
    int awaited() {
        return awaited.size();
    }

    /** Returns the ids of the requests to read: the predecessors and the request itself. */
    Set<String> asks() {
        Set<String> ids = new LinkedHashSet<>(awaited);
        ids.add(requestId);
        return ids;
    }

    /**
     * Decides by the answer of the journal. Only the time between answered checks counts, so that no request becomes unknown by an outage
     * of the journal.
     */
    Decision looked(Map<String, Standing> standings, long nowNanos, Patience patience) {
        long passedNanos = nowNanos - lastCheckNanos.orElse(nowNanos);
        waitedNanos += passedNanos;
        lastCheckNanos = OptionalLong.of(nowNanos);
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

    /** Excludes the time since the last check, because the journal did not answer or because no request could begin. */
    void unanswered() {
        lastCheckNanos = OptionalLong.empty();
    }

    /** Records that this predecessor has an entry and is being processed. The waiting times for parked and given-back requests begin anew. */
    void seen(String requestId) {
        seen.add(requestId);
        parked.nanos = 0;
        givenBack.nanos = 0;
    }
}
