package org.treerename.janitor.recovery;

import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BinaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.treerename.journal.Journal;
import org.treerename.journal.JournalEntry;
import org.treerename.journal.State;
import org.treerename.journal.Watermarks;
import org.treerename.lock.LockPriority;
import org.treerename.process.ProcessContext;
import org.treerename.request.RecordPosition;
import org.treerename.request.RequestLog;
import org.treerename.store.NoAnswerException;
import org.treerename.store.Versioned;
import org.treerename.store.WriteResult;

/**
 * Deletes the journal entries of requests, some time after Kafka has deleted the records of these requests from the
 * log. Only one thread of a process calls this class, but several processes may use it at the same time.
 *
 * <p>A watermark at an offset states that every request up to this offset has ended. So every watermark stays below the
 * committed offset of its partition, and below every request in PREPARED or RETRY.
 *
 * <ol>
 *   <li>With an acknowledged write, raise the watermark of each partition that contains the request of an expired
 *       entry. If the process dies here, the entries still exist and still answer repeated requests. The next run finds
 *       them again.
 *   <li>Delete each entry if it still has the version that was read. If a worker has answered a delivery from the entry
 *       since the read, the entry has another version and is not deleted. If the process dies here, the next run finds
 *       the remaining entries.
 * </ol>
 *
 * The age of an entry is measured up to a reference time. The workers have finished every request that is older than
 * the reference time. So if a repeated request waits in the log, the entry that answers it is not deleted. The
 * reference time is not later than the time stamp that the broker assigned to the youngest request. It is also not
 * later than the wall-clock time of this process. So a janitor whose clock is days ahead deletes nothing too early. If
 * Kafka delivers a record again after its entry was deleted, the offset of the record is at or below the watermark. So
 * the worker rejects the request as expired.
 */
public final class JournalCleanup {

    /** The number of entries that are read and deleted at once. */
    static final int BATCH = 500;

    private static final int MAX_TRIES = 10;

    /**
     * The possible times from the reference time to the youngest request, as multiples of the age at which entries
     * expire. The cleanup tries them in this order, until it finds a reference time before which all requests have
     * ended.
     */
    private static final List<Double> UNFINISHED_FOR = List.of(0.0, 0.02, 0.1, 0.3, 1.0, 3.0);

    private static final Logger log = LoggerFactory.getLogger(JournalCleanup.class);

    private final Journal journal;
    private final Watermarks watermarks;
    private final WatermarkCheck expired;
    private final RequestLog requests;
    private final ProcessContext context;
    private final Duration entryRetention;

    /**
     * Whether the log kept its requests for ever at the last call of {@link #limit}. While this remains true, no
     * further warning is logged.
     */
    private boolean hasLoggedForEver;

    /**
     * @param entryRetention the time for which an entry is kept; if the retention time of the log is longer, the
     *     cleanup uses the retention time of the log
     */
    public JournalCleanup(
            Journal journal,
            Watermarks watermarks,
            RequestLog requests,
            ProcessContext context,
            Duration entryRetention) {
        this.journal = journal;
        this.watermarks = watermarks;
        this.expired = new WatermarkCheck(watermarks);
        this.requests = requests;
        this.context = context;
        this.entryRetention = entryRetention;
    }

    /**
     * Returns the time before which entries have expired. Returns empty if the log keeps its requests for ever, or if
     * there is no reference time.
     */
    public Optional<Instant> limit() {
        Optional<Duration> kept = requests.retention();
        if (kept.isEmpty() && !hasLoggedForEver) {
            log.warn("the request topic keeps its records forever, so no journal entry is deleted; set"
                    + " cleanup.policy=delete and retention.ms for this topic");
        }
        hasLoggedForEver = kept.isEmpty();
        BinaryOperator<Duration> longer = BinaryOperator.maxBy(Duration::compareTo);
        return kept.map(length -> longer.apply(length, entryRetention))
                .flatMap(age -> present(age).map(present -> present.minus(age)));
    }

    /**
     * Returns the reference time, up to which the age of entries is measured. Returns empty if the log has no request,
     * or if an unfinished request is more than three times as old as {@code age}.
     *
     * @param age the age at which an entry expires
     */
    private Optional<Instant> present(Duration age) {
        Instant own = context.time().now();
        return requests.youngest()
                .map(youngest -> youngest.isBefore(own) ? youngest : own)
                .flatMap(latest -> UNFINISHED_FOR.stream()
                        .map(part -> latest.minusMillis((long) (part * age.toMillis())))
                        .filter(requests::isFinishedBefore)
                        .findFirst());
    }

    /** Deletes closed entries that are older than the limit, and returns their number. */
    public int deleteClosed(Instant limit) {
        Map<String, Long> ends = ends(limit);
        int deleted =
                pages(State.CLOSED, limit).mapToInt(page -> delete(page, ends)).sum();
        if (deleted > 0) {
            log.info("deleted expired journal entries: {} (older than {})", deleted, limit);
        }
        return deleted;
    }

    /** Deletes the entries whose records are all below these offsets, after it has raised the watermarks. */
    private int delete(List<Versioned<JournalEntry>> page, Map<String, Long> ends) {
        List<Versioned<JournalEntry>> old = page.stream()
                .filter(entry -> entry.value().places().stream().allMatch(place -> isBefore(place, ends)))
                .toList();
        highest(old).values().forEach(this::raise);
        return journal.delete(old);
    }

    /**
     * Returns all entries in this state that are older than the limit, in pages, until the process receives a stop
     * request. Each page begins after the last entry of the previous page, so an entry that must stay hides no entry
     * behind it.
     */
    private Stream<List<Versioned<JournalEntry>>> pages(State state, Instant limit) {
        return Stream.iterate(
                page(state, limit, null),
                page -> !page.isEmpty(),
                page -> page.size() < BATCH
                        ? List.of()
                        : page(state, limit, page.getLast().value().age()));
    }

    private List<Versioned<JournalEntry>> page(State state, Instant limit, @Nullable LockPriority after) {
        if (context.stop().isRequested()) {
            return List.of();
        }
        context.beforeWriting("the deletion of expired journal entries");
        return journal.olderThan(state, limit, after, BATCH);
    }

    /**
     * Returns, for each partition, the offset up to which all requests have ended. This offset is the committed offset,
     * or a lower offset if a request waits for another attempt. The committed offset alone is not enough. Records of
     * waiting requests may be below it: records that an operator has skipped, repetitions, and dead letters whose
     * request id was in use. The method reads the committed offsets before it reads the journal. So the record of a
     * request that begins later is at or behind these offsets. A direct rename has no record; the time of its request
     * serves as its offset. For direct renames, the limit replaces the committed offset.
     */
    private Map<String, Long> ends(Instant limit) {
        Map<String, Long> ends = new HashMap<>(requests.committed());
        RecordPosition direct = RecordPosition.ofDirect(limit);
        ends.put(direct.topicPartition(), direct.offset());
        List<String> waiting = journal.in(EnumSet.of(State.PREPARED, State.RETRY));
        for (int from = 0; from < waiting.size(); from += BATCH) {
            lowest(journal.read(waiting.subList(from, Math.min(from + BATCH, waiting.size()))))
                    .forEach((partition, place) ->
                            ends.computeIfPresent(partition, (same, end) -> Math.min(end, place.offset())));
        }
        return ends;
    }

    /**
     * Returns the requests in RETRY that are older than the limit. The method deletes two kinds of entries in RETRY,
     * and does not return their requests. The first kind is a placeholder, whose request has no record in the log and
     * had no effect. If a late hold of this request arrives, the sweep creates another placeholder. The second kind is
     * an entry at or below the watermark. This entry had expired, and a late request to Elasticsearch has created it
     * again. Its rename already has an outcome.
     */
    public List<String> notDelivered(Instant limit) {
        return pages(State.RETRY, limit)
                .flatMap(page -> deleteNeedless(page).stream())
                .toList();
    }

    /** Deletes the entries whose requests need no outcome, and returns the requests of the other entries. */
    private List<String> deleteNeedless(List<Versioned<JournalEntry>> page) {
        List<Versioned<JournalEntry>> needless = page.stream()
                .filter(entry -> entry.value().isPlaceholder() || expired.covers(entry.value()))
                .toList();
        journal.delete(needless);
        return page.stream()
                .filter(entry -> !needless.contains(entry))
                .map(entry -> entry.value().requestId())
                .toList();
    }

    /**
     * Returns the requests whose expired entries a late attempt has created again. These entries are PREPARED, and at
     * or below the watermark. The process of the attempt got no answer from Elasticsearch, and does not process the
     * request. While that process is live, no take-over releases the locks of these requests.
     */
    public List<String> recreated(Instant limit) {
        return pages(State.PREPARED, limit)
                .flatMap(List::stream)
                .map(Versioned::value)
                .filter(expired::covers)
                .map(JournalEntry::requestId)
                .toList();
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

    /**
     * Raises a watermark. The method writes even if the watermark is already high enough, because only an acknowledged
     * write shows that the read was current.
     */
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
                "cannot write the watermark of " + place.topicPartition()
                        + ": another process changed the watermark during each of " + MAX_TRIES + " tries",
                null);
    }
}
