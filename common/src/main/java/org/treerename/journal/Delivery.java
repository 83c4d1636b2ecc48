package org.treerename.journal;

import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.treerename.lock.LockPriority;
import org.treerename.request.ParsedRequest;
import org.treerename.request.RecordPosition;

/**
 * One delivery of one request.
 *
 * @param digest the digest of the content: two deliveries with the same request id and different digests are different
 *     requests
 * @param appendedAt the time at which the log appended the record
 * @param unmet the predecessor of this request that did not end in time; null if there is none
 */
public record Delivery(
        ParsedRequest asked,
        String digest,
        RecordPosition place,
        Instant appendedAt,
        @Nullable UnmetDependency unmet) implements LockRequester {

    /** Creates a delivery that does not depend on another request. */
    public Delivery(ParsedRequest asked, String digest, RecordPosition place, Instant appendedAt) {
        this(asked, digest, place, appendedAt, null);
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
