package org.treerename.janitor.console;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.treerename.journal.Ending;
import org.treerename.journal.JournalEntry;
import org.treerename.overview.JournalSearch;
import org.treerename.overview.OverviewJson;

/**
 * Counts the renames that ended in each minute of the last hour, by status. The first read counts the ended renames
 * that the journal still contains. Each later read is cheap, because it counts only the renames that have ended since
 * the previous read. Only one thread calls this class.
 */
final class EndedRenames {

    static final Duration KEPT = Duration.ofHours(1);

    /**
     * The maximum number of renames that one read counts. If more renames have ended, the counts of the earlier minutes
     * are incomplete.
     */
    static final int MOST = JournalSearch.LARGEST_PAGE;

    /**
     * The maximum time from the end time in a journal entry until a read can find this entry. Another process reads the
     * end time from its own clock, and writes the entry later. So each read begins at the time of the previous read
     * minus this maximum.
     */
    static final Duration LATE = Duration.ofSeconds(90);

    private static final String UNKNOWN = "unknown";

    private final JournalSearch journal;
    private final TreeMap<Instant, SortedMap<String, Integer>> minutes = new TreeMap<>();

    /** The end times of the counted renames that the next read may find again, by request id. */
    private final Map<String, Instant> counted = new HashMap<>();

    private @Nullable Instant readAt;
    private Instant completeFrom = Instant.MIN;

    EndedRenames(JournalSearch journal) {
        this.journal = journal;
    }

    /**
     * The numbers of renames that ended during the last hour.
     *
     * @param completeFrom the time from which the numbers are complete
     * @param minutes the numbers of renames that ended in each minute, by status; the key is the beginning of the
     *     minute; a minute without ended renames is missing
     */
    record Counts(Instant completeFrom, SortedMap<Instant, SortedMap<String, Integer>> minutes) {}

    Counts read(Instant now) {
        Instant kept = now.minus(KEPT).truncatedTo(ChronoUnit.MINUTES);
        Instant since = readAt == null ? kept : later(kept, readAt.minus(LATE));
        List<JournalEntry> found = journal.endedSince(since, MOST);
        found.forEach(this::count);
        if (found.size() == MOST
                && (readAt == null || finishedAt(found.getLast()).isAfter(readAt))) {
            completeFrom = finishedAt(found.getLast());
        }
        completeFrom = later(kept, completeFrom);
        readAt = now;
        minutes.headMap(kept).clear();
        counted.values().removeIf(now.minus(LATE)::isAfter);
        return new Counts(completeFrom, new TreeMap<>(minutes));
    }

    private void count(JournalEntry entry) {
        Instant finishedAt = finishedAt(entry);
        if (counted.putIfAbsent(entry.requestId(), finishedAt) == null) {
            minutes.computeIfAbsent(finishedAt.truncatedTo(ChronoUnit.MINUTES), minute -> new TreeMap<>())
                    .merge(OverviewJson.status(entry).orElse(UNKNOWN), 1, Integer::sum);
        }
    }

    private static Instant finishedAt(JournalEntry entry) {
        return entry.ended().map(Ending::finishedAt).orElse(Instant.MIN);
    }

    private static Instant later(Instant one, Instant other) {
        return one.isAfter(other) ? one : other;
    }
}
