package org.treerename.janitor.console;

import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.treerename.journal.JournalEntry;
import org.treerename.journal.State;
import org.treerename.overview.JournalSearch;
import org.treerename.overview.JournalSearch.Filter;
import org.treerename.overview.JournalSearch.Order;

/**
 * Counts the requests that wait for locks, and keeps the samples of the last hour. Each read adds a sample. So for a
 * time without reads, there are no samples. Only one thread calls this class.
 */
final class WaitingRequests {

    static final Duration KEPT = EndedRenames.KEPT;

    /** The time between two samples. A sample contains the largest values of all reads in this time. */
    static final Duration EVERY = Duration.ofSeconds(15);

    private static final Set<State> WAITING = EnumSet.of(State.PREPARED, State.RETRY);

    /** The maximum number of entries that are read, oldest first, to find one that is not a placeholder. */
    private static final int OLDEST = 10;

    private final JournalSearch journal;
    private final TreeMap<Instant, Sample> samples = new TreeMap<>();

    WaitingRequests(JournalSearch journal) {
        this.journal = journal;
    }

    /**
     * The number of waiting requests, and the age of the oldest of them, at one time.
     *
     * @param requests the number of requests that have begun and are not decided
     * @param oldest the age of the oldest of these requests; zero if no request waits
     */
    record Sample(long requests, Duration oldest) {

        private Sample largest(Sample other) {
            return new Sample(
                    Math.max(requests, other.requests), oldest.compareTo(other.oldest) > 0 ? oldest : other.oldest);
        }
    }

    /** Adds a sample, and returns the samples of the last hour, sorted by time. */
    SortedMap<Instant, Sample> read(Instant now) {
        Map<State, Long> counted = journal.counted();
        long requests = WAITING.stream()
                .mapToLong(state -> counted.getOrDefault(state, 0L))
                .sum();
        Optional<Instant> since =
                journal.find(Filter.ALL.in(WAITING), Order.OLDEST_FIRST, null, OLDEST).entries().stream()
                        .filter(entry -> !entry.isPlaceholder())
                        .map(JournalEntry::requestedAt)
                        .findFirst();
        Duration oldest = since.map(begun -> Duration.between(begun, now))
                .filter(Duration::isPositive)
                .orElse(Duration.ZERO);
        long everySeconds = EVERY.toSeconds();
        Instant at = Instant.ofEpochSecond(Math.floorDiv(now.getEpochSecond(), everySeconds) * everySeconds);
        samples.merge(at, new Sample(requests, oldest), Sample::largest);
        samples.headMap(now.minus(KEPT)).clear();
        return new TreeMap<>(samples);
    }
}
