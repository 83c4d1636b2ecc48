package org.treerename.journal;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;
import org.treerename.lock.LockPriority;
import org.treerename.request.ParsedRequest;
import org.treerename.request.RecordPosition;

/**
 * One delivery of one request: a record in the log, or a call that requests a direct rename.
 *
 * @param digest the digest of the content of the request. Two deliveries with the same request id and different
 *     digests belong to different requests
 * @param place the position of the record; for a direct rename the {@linkplain RecordPosition#ofDirect position} that
 *     contains the time of the request
 * @param appendedAt the time at which Kafka appended the record, or at which a direct rename was requested
 * @param unmet the predecessor of this request that did not end in time; null if there is none
 */
public record Delivery(
        ParsedRequest asked,
        String digest,
        RecordPosition place,
        Instant appendedAt,
        @Nullable UnmetDependency unmet) implements LockRequester {

    /**
     * The latest valid time stamp: the end of the year 9999. If a topic uses the time stamps of its producers, a time
     * stamp may be any number.
     */
    private static final long LATEST_MILLIS = 253_402_300_799_999L;

    /** Creates a delivery without an unmet dependency. */
    public Delivery(ParsedRequest asked, String digest, RecordPosition place, Instant appendedAt) {
        this(asked, digest, place, appendedAt, null);
    }

    /**
     * Creates the delivery of a record.
     *
     * @param millis the time stamp of the record
     */
    public static Delivery of(
            ParsedRequest asked, String digest, RecordPosition place, long millis, @Nullable UnmetDependency unmet) {
        return new Delivery(asked, digest, place, Instant.ofEpochMilli(Math.clamp(millis, 0, LATEST_MILLIS)), unmet);
    }

    /**
     * Creates the delivery of a direct rename.
     *
     * @param now the time of the request by the clock of the caller
     */
    public static Delivery direct(ParsedRequest asked, String digest, Instant now) {
        Instant requestedAt = now.truncatedTo(ChronoUnit.MILLIS);
        return new Delivery(asked, digest, RecordPosition.ofDirect(requestedAt), requestedAt);
    }

    @Override
    public String requestId() {
        return asked.requestId();
    }

    @Override
    public JournalEntry begun(Ownership ownership) {
        return JournalEntry.prepared(this, ownership);
    }

    @Override
    public JournalEntry again(JournalEntry found) {
        return found.deliveredBy(this);
    }

    @Override
    public boolean isItsOwn(JournalEntry found) {
        return found.isOf(this);
    }

    public LockPriority age() {
        return new LockPriority(appendedAt.toEpochMilli(), requestId());
    }
}
