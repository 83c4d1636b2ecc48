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
 * <ol>
 *   <li>raise the watermark of each partition in which a record of the entries stands, by an acknowledged write: if we die
 *       here, the entries stand and answer as ever, and are found again;
 *   <li>delete each entry in the version read, so that one from which a delivery was answered meanwhile stays: if we die in
 *       between, the next go finds the others.
 * </ol>
 *
 * How old an entry is, is told by wall clocks, and nothing rests on them: if a record comes again whose entry was deleted,
 * too early even, the watermark is found above it, and it is rejected as expired.
 */
public final class Expiry {

    /** Entries read and deleted at once. */
    static final int BATCH = 500;

    /** Batches in one go; what is left is found by the next. */
    static final int MOST_BATCHES = 20;

    private static final int MOST_TRIES = 10;
    private static final Logger log = LoggerFactory.getLogger(Expiry.class);

    private final Journal journal;
    private final Watermarks watermarks;
    private final RequestLog requests;
    private final Carrier carrier;
    private final Duration ofEntries;
    private boolean toldForEver;

    /**
     * @param ofEntries how long an entry is kept, or as long as the log keeps requests if that is longer
     */
    public Expiry(Journal journal, Watermarks watermarks, RequestLog requests, Carrier carrier, Duration ofEntries) {
        this.journal = journal;
        this.watermarks = watermarks;
        this.requests = requests;
        this.carrier = carrier;
        this.ofEntries = ofEntries;
    }

    /** What is older than this has expired; empty if nothing ever does, because the log keeps its requests for ever. */
    public Optional<Instant> limit() {
        Optional<Duration> kept = requests.retention();
        if (kept.isEmpty() && !toldForEver) {
            log.warn("the log keeps requests for ever, so no journal entry is ever deleted");
        }
        toldForEver = kept.isEmpty();
        BinaryOperator<Duration> longer = BinaryOperator.maxBy(Duration::compareTo);
        return kept.map(length -> carrier.time().now().minus(longer.apply(length, ofEntries)));
    }

    /** Deletes closed entries that are older than the limit; how many. */
    public int deleteClosed(Instant limit) {
        int deleted = 0;
        for (int batch = 0; batch < MOST_BATCHES && !carrier.stop().isRequested(); batch++) {
            carrier.beforeWriting("the deletion of old entries");
            List<Versioned<JournalEntry>> old = journal.olderThan(State.CLOSED, limit, BATCH);
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
     * The requests of those that were given back and are older than the limit. Placeholders among them are deleted: nobody
     * asked for them, they have no place in the log and had no effect, and if a late hold comes under their request id, the
     * sweep makes another.
     */
    public List<String> notDelivered(Instant limit) {
        carrier.beforeWriting("the deletion of old placeholders");
        List<Versioned<JournalEntry>> old = journal.olderThan(State.RETRY, limit, BATCH);
        journal.delete(
                old.stream().filter(entry -> entry.value().isPlaceholder()).toList());
        return old.stream()
                .map(Versioned::value)
                .filter(entry -> !entry.isPlaceholder())
                .map(JournalEntry::requestId)
                .toList();
    }

    private static Map<String, Place> highest(List<Versioned<JournalEntry>> entries) {
        Map<String, Place> highest = new HashMap<>();
        entries.stream()
                .flatMap(entry -> entry.value().places().stream())
                .forEach(place -> highest.merge(place.topicPartition(), place, BinaryOperator.maxBy(Place.BY_OFFSET)));
        return highest;
    }

    /** It is written also where it stands high enough: only an acknowledged write says that what was read is true. */
    private void raise(Place place) {
        for (int i = 0; i < MOST_TRIES; i++) {
            Optional<Versioned<Place>> found = watermarks.read(place);
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
