package org.treerename.janitor.recovery;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.BinaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.treerename.journal.Journal;
import org.treerename.journal.JournalEntry;
import org.treerename.journal.State;
import org.treerename.journal.Watermark;
import org.treerename.lock.LockPriority;
import org.treerename.process.ProcessContext;
import org.treerename.request.RequestLog;
import org.treerename.store.Versioned;

/**
 * Deletes the journal entries of requests, some time after Kafka has deleted the records of these requests from the
 * log. Only one thread of a process calls this class, but several processes may use it at the same time.
 *
 * <p>The {@linkplain Watermark watermark} is a time. It states that every request whose records are before this time
 * has ended.
 *
 * <ol>
 *   <li>{@link #notDelivered} and {@link #recreated} return the requests before the limit that have not ended. The
 *       caller ends them. If the process dies here, the next run finds the remaining requests again.
 *   <li>With an acknowledged write, raise the watermark to the limit, unless a request before the limit has not ended.
 *       If the process dies here, the entries still exist and still answer repeated requests. The next run deletes
 *       them.
 *   <li>Delete each closed entry before the watermark if it still has the version that was read. If a worker has
 *       answered a delivery from the entry since the read, the entry has another version and is not deleted. If the
 *       process dies here, the next run finds the remaining entries.
 * </ol>
 *
 * The age of an entry is measured up to a reference time. The workers have finished every request that is older than
 * the reference time. So if a repeated request waits in the log, the entry that answers it is not deleted. The
 * reference time is not later than the time of this process, and not later than the time of Elasticsearch. So if only
 * one of these clocks is days ahead, nothing is deleted too early. If Kafka delivers a record again after its entry was
 * deleted, the record is before the watermark. So the worker rejects the request as expired.
 */
public final class JournalCleanup {

    /** The number of entries that are read and deleted at once. */
    static final int BATCH = 500;

    /**
     * The possible times from the reference time to the present, as multiples of the age at which entries expire. The
     * cleanup tries them in this order, until it finds a reference time before which all requests have ended.
     */
    private static final List<Double> UNFINISHED_FOR = List.of(0.0, 0.02, 0.1, 0.3, 1.0, 3.0);

    private static final Logger log = LoggerFactory.getLogger(JournalCleanup.class);

    private final Journal journal;
    private final Watermark watermark;
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
            Watermark watermark,
            RequestLog requests,
            ProcessContext context,
            Duration entryRetention) {
        this.journal = journal;
        this.watermark = watermark;
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
     * Returns the reference time, up to which the age of entries is measured. Returns empty if an unfinished request is
     * more than three times as old as {@code age}.
     *
     * @param age the age at which an entry expires
     */
    private Optional<Instant> present(Duration age) {
        Instant own = context.time().now();
        Instant ofTheStore = watermark.confirmed().writtenAt();
        Instant now = own.isBefore(ofTheStore) ? own : ofTheStore;
        return UNFINISHED_FOR.stream()
                .map(part -> now.minusMillis((long) (part * age.toMillis())))
                .filter(requests::isFinishedBefore)
                .findFirst();
    }

    /**
     * Raises the watermark to the limit, and deletes the closed entries before the watermark. Returns the number of
     * deleted entries.
     */
    public int deleteClosed(Instant limit) {
        Instant mark = raised(limit);
        int deleted = pages(State.CLOSED, mark).mapToInt(journal::delete).sum();
        if (deleted > 0) {
            log.info("deleted expired journal entries: {} (older than {})", deleted, mark);
        }
        return deleted;
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
     * Raises the watermark to the limit, unless a request before the limit has not ended, and returns the watermark.
     * The committed offsets alone do not show such a request: its record may be one that an operator has skipped, a
     * repetition, or a dead letter whose request id was in use, and a direct rename has no record. The caller has read
     * the committed offsets for the limit before this method reads the journal. So a request that begins later is not
     * before the limit.
     */
    private Instant raised(Instant limit) {
        Instant mark = watermark.confirmed().at();
        boolean isUnfinished = Stream.of(State.PREPARED, State.RETRY)
                .flatMap(state -> pages(state, limit))
                .flatMap(List::stream)
                .anyMatch(entry -> !entry.value().isCoveredBy(mark));
        // after a stop request, the pages above may lack entries
        return isUnfinished || context.stop().isRequested()
                ? mark
                : watermark.raise(limit).at();
    }

    /**
     * Returns the requests in RETRY that are older than the limit. The method deletes two kinds of entries in RETRY,
     * and does not return their requests. The first kind is a placeholder, whose request has no record in the log and
     * had no effect. If a late hold of this request arrives, the sweep creates another placeholder. The second kind is
     * an entry before the watermark. This entry had expired, and a late request to Elasticsearch has created it again.
     * Its rename already has an outcome.
     */
    public List<String> notDelivered(Instant limit) {
        Instant mark = watermark.confirmed().at();
        return pages(State.RETRY, limit)
                .flatMap(page -> deleteNeedless(page, mark).stream())
                .toList();
    }

    /** Deletes the entries whose requests need no outcome, and returns the requests of the other entries. */
    private List<String> deleteNeedless(List<Versioned<JournalEntry>> page, Instant mark) {
        List<Versioned<JournalEntry>> needless = page.stream()
                .filter(entry -> entry.value().isPlaceholder() || entry.value().isCoveredBy(mark))
                .toList();
        journal.delete(needless);
        return page.stream()
                .filter(entry -> !needless.contains(entry))
                .map(entry -> entry.value().requestId())
                .toList();
    }

    /**
     * Returns the requests whose expired entries a late attempt has created again. These entries are PREPARED, and
     * before the watermark. The process of the attempt got no answer from Elasticsearch, and does not process the
     * request. While that process is live, no take-over releases the locks of these requests.
     */
    public List<String> recreated(Instant limit) {
        Instant mark = watermark.confirmed().at();
        return pages(State.PREPARED, limit)
                .flatMap(List::stream)
                .map(Versioned::value)
                .filter(entry -> entry.isCoveredBy(mark))
                .map(JournalEntry::requestId)
                .toList();
    }
}
