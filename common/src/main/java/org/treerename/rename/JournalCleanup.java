package org.treerename.rename;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BinaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.treerename.store.NoAnswerException;
import org.treerename.store.Versioned;
import org.treerename.store.WriteResult;

/**
 * Deletes journal entries when the log has forgotten their requests, and a while later. One thread calls it; any number of
 * processes may do it at once.
 *
 * <p>A watermark at an offset says that every request up to it has ended. So no watermark is raised to or past a request that
 * the workers have not finished, by the committed offset of its partition, nor past one that was given back.
 *
 * <ol>
 *   <li>raise the watermark of each partition in which a record of the entries stands, by an acknowledged write: if we die
 *       here, the entries stand and answer as ever, and are found again;
 *   <li>delete each entry in the version read, so that one from which a delivery was answered meanwhile stays: if we die in
 *       between, the next go finds the others.
 * </ol>
 *
 * The age of an entry counts up to the youngest request of the log, which its broker has stamped, and at most up to the own
 * wall clock. So a janitor whose clock is days ahead deletes nothing too early. If a record comes again whose entry was
 * deleted, the watermark is found above it, and the record is rejected as expired.
 */
public final class JournalCleanup {

    /** Entries read and deleted at once. */
    static final int BATCH = 500;

    /** Batches in one go; what is left is found by the next. */
    static final int MOST_BATCHES = 20;

    private static final int MOST_TRIES = 10;
    private static final Logger log = LoggerFactory.getLogger(JournalCleanup.class);

    private final Journal journal;
    private final Watermarks watermarks;
    private final RequestLog requests;
    private final ProcessContext context;
    private final Duration ofEntries;
    private boolean toldForEver;

    /**
     * @param ofEntries how long an entry is kept, or as long as the log keeps requests if that is longer
     */
    public JournalCleanup(
            Journal journal, Watermarks watermarks, RequestLog requests, ProcessContext context, Duration ofEntries) {
        this.journal = journal;
        this.watermarks = watermarks;
        this.requests = requests;
        this.context = context;
        this.ofEntries = ofEntries;
    }

    /**
     * Returns the time before which entries have expired; empty if none has, because the log keeps its requests for ever or holds
     * none.
     */
    public Optional<Instant> limit() {
        Optional<Duration> kept = requests.retention();
        if (kept.isEmpty() && !toldForEver) {
            log.warn("the log keeps requests for ever, so no journal entry is ever deleted");
        }
        toldForEver = kept.isEmpty();
        BinaryOperator<Duration> longer = BinaryOperator.maxBy(Duration::compareTo);
        return kept.flatMap(length -> now().map(now -> now.minus(longer.apply(length, ofEntries))));
    }

    /** Returns the earlier of the log's clock and the own one; empty while the log holds no request. */
    private Optional<Instant> now() {
        Instant own = context.time().now();
        return requests.youngest().map(youngest -> youngest.isBefore(own) ? youngest : own);
    }

    /** Deletes closed entries that are older than the limit; how many. */
    public int deleteClosed(Instant limit) {
        int deleted = 0;
        Map<String, Long> ends = new HashMap<>(requests.committed());
        lowest(journal.olderThan(State.RETRY, limit, BATCH))
                .forEach((partition, place) ->
                        ends.computeIfPresent(partition, (same, end) -> Math.min(end, place.offset())));
        for (int batch = 0; batch < MOST_BATCHES && !context.stop().isRequested(); batch++) {
            context.beforeWriting("the deletion of old entries");
            List<Versioned<JournalEntry>> old = journal.olderThan(State.CLOSED, limit, BATCH).stream()
                    .filter(entry -> entry.value().places().stream().allMatch(place -> isBefore(place, ends)))
                    .toList();
            highest(old).values().forEach(this::raise);
            int gone = journal.delete(old);
            deleted += gone;
            if (gone == 0 || old.size() < BATCH) {
                break;
            }
        }
        if (deleted > 0) {
            log.info("deleted {} journal entries from before {}", deleted, limit);
        }
        return deleted;
    }

    /**
     * Returns the requests that were given back and are older than the limit. Two kinds of entries are deleted instead. A
     * placeholder has no place in the log and had no effect; if a late hold comes under its request id, the sweep makes another.
     * An entry below the watermark was made again by a request to Elasticsearch that arrived after the entry had expired; its
     * request has its outcome.
     */
    public List<String> notDelivered(Instant limit) {
        context.beforeWriting("the deletion of old placeholders");
        List<Versioned<JournalEntry>> old = journal.olderThan(State.RETRY, limit, BATCH);
        List<Versioned<JournalEntry>> needless = old.stream()
                .filter(entry -> entry.value().isPlaceholder() || hasExpired(entry.value()))
                .toList();
        journal.delete(needless);
        return old.stream()
                .filter(entry -> !needless.contains(entry))
                .map(entry -> entry.value().requestId())
                .toList();
    }

    /**
     * Returns the requests whose expired entries a late attempt has created again: they are PREPARED and below the watermark. The process
     * that sent the attempt had no answer and does not carry the request. As long as that process lives, no take-over releases the locks.
     */
    public List<String> madeAgain(Instant limit) {
        return journal.olderThan(State.PREPARED, limit, BATCH).stream()
                .map(Versioned::value)
                .filter(this::hasExpired)
                .map(JournalEntry::requestId)
                .toList();
    }

    /** An acknowledged write shows that the watermark that was read is the present one. */
    private boolean hasExpired(JournalEntry entry) {
        return entry.places().stream().anyMatch(place -> {
            Optional<Versioned<RecordPosition>> read = watermarks.read(place);
            return read.isPresent()
                    && place.isCoveredBy(read.get().value())
                    && watermarks.write(read.get().value(), read.get().version()) instanceof WriteResult.Written;
        });
    }

    private static boolean isBefore(RecordPosition place, Map<String, Long> ends) {
        return place.offset() < ends.getOrDefault(place.topicPartition(), 0L);
    }

    private static Map<String, RecordPosition> lowest(List<Versioned<JournalEntry>> entries) {
        Map<String, RecordPosition> lowest = new HashMap<>();
        entries.stream()
                .flatMap(entry -> entry.value().places().stream())
                .forEach(place ->
                        lowest.merge(place.topicPartition(), place, BinaryOperator.minBy(RecordPosition.BY_OFFSET)));
        return lowest;
    }

    private static Map<String, RecordPosition> highest(List<Versioned<JournalEntry>> entries) {
        Map<String, RecordPosition> highest = new HashMap<>();
        entries.stream()
                .flatMap(entry -> entry.value().places().stream())
                .forEach(place ->
                        highest.merge(place.topicPartition(), place, BinaryOperator.maxBy(RecordPosition.BY_OFFSET)));
        return highest;
    }

    /** It is written also where it stands high enough: only an acknowledged write says that what was read is true. */
    private void raise(RecordPosition place) {
        for (int i = 0; i < MOST_TRIES; i++) {
            Optional<Versioned<RecordPosition>> found = watermarks.read(place);
            WriteResult result = found.isEmpty()
                    ? watermarks.create(place)
                    : watermarks.write(
                            place.isCoveredBy(found.get().value()) ? found.get().value() : place,
                            found.get().version());
            if (result instanceof WriteResult.Written) {
                return;
            }
        }
        throw new NoAnswerException("others kept on writing the watermark of " + place.topicPartition(), null);
    }
}
