package org.treerename.worker;

import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Stream;
import org.treerename.journal.UnmetDependency;
import org.treerename.worker.Predecessors.Progress;

/**
 * Decides whether one request may begin. The request may begin when its predecessors have ended. Its predecessors are
 * the requests that it names in {@code after}. This class does not connect to servers. Only one thread calls this
 * class.
 *
 * <p>A delivered request may have ended already, because Kafka can deliver a request again. A request that has ended
 * does not wait. The worker answers the request from the journal, even if the entries of its predecessors were deleted.
 */
final class DependencyCheck {

    /** The result of a check. */
    sealed interface Decision {

        /** The request may begin. */
        record Go() implements Decision {}

        /** The request waits for the next check. */
        record Later() implements Decision {}

        /** The request has waited for this predecessor for the maximum time. So the request ends without an attempt. */
        record Blocked(UnmetDependency by) implements Decision {}
    }

    /**
     * The maximum waiting times of a request.
     *
     * @param unknown the time for which the request waits for the first journal entry of a predecessor, or for a
     *     predecessor that was released for a retry
     * @param parked the time for which the request waits for a parked predecessor
     */
    record Patience(Duration unknown, Duration parked) {}

    private final String requestId;

    /** The predecessors whose end no check has found yet. */
    private final Set<String> awaited;

    /** The predecessors for which a check has found an entry. These predecessors are never treated as missing. */
    private final Set<String> seen = new LinkedHashSet<>();

    private OptionalLong lastCheckNanos = OptionalLong.empty();
    private long waitedNanos;

    private final Streak parked = new Streak(Progress.PARKED);
    private final Streak released = new Streak(Progress.RELEASED);

    /** For each predecessor, the time for which every check has found the predecessor in the same state. */
    private static final class Streak {
        private final Progress progressOf;
        private final Map<String, Long> nanos = new HashMap<>();

        Streak(Progress progressOf) {
            this.progressOf = progressOf;
        }

        /** Returns a predecessor that every check has found in this state for at least {@code patience}. */
        Optional<String> of(Set<String> awaited, Map<String, Progress> progress, long passedNanos, Duration patience) {
            nanos.keySet().removeIf(id -> !awaited.contains(id) || progress.get(id) != progressOf);
            awaited.stream()
                    .filter(id -> progress.get(id) == progressOf)
                    .forEach(id -> nanos.compute(id, (same, before) -> before == null ? 0 : before + passedNanos));
            return awaited.stream()
                    .filter(id -> nanos.getOrDefault(id, -1L) >= patience.toNanos())
                    .findFirst();
        }

        void restart(String requestId) {
            nanos.remove(requestId);
        }
    }

    DependencyCheck(String requestId, List<String> after) {
        this.requestId = requestId;
        this.awaited = new LinkedHashSet<>(after);
    }

    /** Returns the number of predecessors whose end no check has found yet. */
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
     * Decides from the answer of the journal whether the request may begin. The waiting time includes only the time
     * between checks that the journal answered. So an outage of the journal does not end the wait.
     */
    Decision looked(Map<String, Progress> progress, long nowNanos, Patience patience) {
        long passedNanos = nowNanos - lastCheckNanos.orElse(nowNanos);
        waitedNanos += passedNanos;
        lastCheckNanos = OptionalLong.of(nowNanos);
        progress.forEach((id, progressOf) -> {
            if (progressOf != Progress.MISSING) {
                seen.add(id);
            }
        });
        awaited.removeIf(id -> progress.get(id) == Progress.ENDED);
        if (awaited.isEmpty() || progress.get(requestId) == Progress.ENDED) {
            return new Decision.Go();
        }
        Optional<UnmetDependency> unmet = Stream.of(
                        parked.of(awaited, progress, passedNanos, patience.parked())
                                .map(UnmetDependency::parked),
                        released.of(awaited, progress, passedNanos, patience.unknown())
                                .map(UnmetDependency::released),
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

    /**
     * Excludes the time since the last check from the waiting time. In this time, the journal did not answer, or no
     * request could begin.
     */
    void unanswered() {
        lastCheckNanos = OptionalLong.empty();
    }

    /**
     * Records that the journal has not confirmed the unmet dependency on this predecessor. The predecessor counts as
     * found, and the waiting times for it start again at zero.
     */
    void seen(String requestId) {
        seen.add(requestId);
        parked.restart(requestId);
        released.restart(requestId);
    }
}
