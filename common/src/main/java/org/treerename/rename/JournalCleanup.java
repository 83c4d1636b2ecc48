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
 * Deletes journal entries some time after the log has deleted their requests. One thread calls it; several processes
 * may run it at once.
 *
 * <p>A watermark at an offset states that every request up to this offset has ended. So no watermark is raised to or
 * past a request that the workers have not finished, by the committed offset of its partition, nor to or past a request
 * in RETRY.
 *
 * <ol>
 *   <li>Raise the watermark of each partition that has a record of the entries, by an acknowledged write. If we die
 *       here, the entries still exist, still answer repeated requests, and are found again.
 *   <li>Delete each entry in the version that was read. So an entry from which a delivery was answered in the meantime
 *       stays. If we die here, the next run finds the remaining entries.
 * </ol>
 *
 * The age of an entry is measured against the time stamp that the broker gave the youngest request in the log, or
 * against this process's wall clock if that is earlier. So a janitor whose clock is days ahead deletes nothing too
 * early. If a record is delivered again after its entry was deleted, its offset is at or below the watermark, and the
 * worker rejects it as expired.
 */
public final class JournalCleanup {

    /** The number of entries that are read and deleted at once. */
    static final int BATCH = 500;

    /** The largest number of batches in one run. The next run finds the rest. */
    static final int MOST_BATCHES = 20;

    private static final int MAX_TRIES = 10;
    private static final Logger log = LoggerFactory.getLogger(JournalCleanup.class);

    private final Journal journal;
    private final Watermarks watermarks;
    private final RequestLog requests;
    private final ProcessContext context;
    private final Duration entryRetention;

    /** Whether the last call found that the log keeps requests for ever, so the warning was logged. */
    private boolean hasLoggedForEver;

    /**
     * @param entryRetention the time for which an entry is kept; the retention time of the log counts if it is longer
     */
    public JournalCleanup(
            Journal journal,
            Watermarks watermarks,
            RequestLog requests,
            ProcessContext context,
            Duration entryRetention) {
        this.journal = journal;
        this.watermarks = watermarks;
        this.requests = requests;
        this.context = context;
        this.entryRetention = entryRetention;
    }

    /** Returns the time before which entries have expired; empty if none has expired, because the log keeps its requests for ever or has none. */
    public Optional<Instant> limit() {
        Optional<Duration> kept = requests.retention();
        if (kept.isEmpty() && !hasLoggedForEver) {
            log.warn("the log keeps requests for ever, so no journal entry is ever deleted");
        }
        hasLoggedForEver = kept.isEmpty();
        BinaryOperator<Duration> longer = BinaryOperator.maxBy(Duration::compareTo);
        return kept.flatMap(length -> now().map(now -> now.minus(longer.apply(length, entryRetention))));
    }

    /** Returns the time stamp of the youngest request in the log, or this process's time if that is earlier; empty if the log has no request. */
    private Optional<Instant> now() {
        Instant own = context.time().now();
        return requests.youngest().map(youngest -> youngest.isBefore(own) ? youngest : own);
    }

    /** Deletes closed entries that are older than the limit, and returns their number. */
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
            int deletedNow = journal.delete(old);
            deleted += deletedNow;
            if (deletedNow == 0 || old.size() < BATCH) {
                break;
            }
        }
        if (deleted > 0) {
            log.info("deleted {} journal entries from before {}", deleted, limit);
        }
        return deleted;
    }

    /**
     * Returns the requests in RETRY that are older than the limit. Two kinds of entries in RETRY are deleted instead. A
     * placeholder has no record in the log and had no effect; if a late hold arrives under its request id, the sweep
     * creates another placeholder. An entry at or below the watermark was created again by a request to Elasticsearch
     * that arrived after the entry had expired; its request already has its outcome.
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
     * Returns the requests whose expired entries a late attempt has created again: these are PREPARED, and at or below
     * the watermark. The process that sent the attempt got no answer and does not process the request. As long as that
     * process lives, no take-over releases the locks.
     */
    public List<String> recreated(Instant limit) {
        return journal.olderThan(State.PREPARED, limit, BATCH).stream()
                .map(Versioned::value)
                .filter(this::hasExpired)
                .map(JournalEntry::requestId)
                .toList();
    }

    /** Returns whether a record is at or below its watermark. An acknowledged write shows that the watermark that was read is current. */
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

    /** Raises a watermark. It writes even if the watermark is high enough, because only an acknowledged write shows that the read was current. */
    private void raise(RecordPosition place) {
        for (int i = 0; i < MAX_TRIES; i++) {
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
        throw new NoAnswerException(
                "expected to write the watermark of " + place.topicPartition()
                        + ", but another process changed it before each of " + MAX_TRIES + " tries; trying again later",
                null);
    }
}
