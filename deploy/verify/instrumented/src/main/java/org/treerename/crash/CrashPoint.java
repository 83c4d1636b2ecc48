package org.treerename.crash;

/**
 * The points at which a test can make a process die or freeze. The points are in the order in which a rename reaches
 * them.
 */
public enum CrashPoint {
    /**
     * Before the bulk request that writes the entry and acquires the locks. If the process dies here in the first
     * attempt, the journal has no entry yet.
     */
    BEFORE_PREPARE,
    /**
     * After the bulk request that writes the entry and acquires the locks. If the process dies here, the entry is
     * PREPARED and the rename has its locks. No document has moved. A janitor releases the locks.
     */
    AFTER_PREPARE,
    /**
     * Before a refused attempt releases its hold in the table that granted the locks. If the process dies here, a
     * janitor releases this hold.
     */
    BEFORE_ATTEMPT_RELEASE,
    /**
     * After a refused attempt released its hold. If the process dies here, the entry is PREPARED and the rename has
     * only claims. A janitor releases the claims.
     */
    AFTER_ATTEMPT_RELEASE,
    /**
     * Before the write of MOVING. If the process dies here, the rename is not decided. A janitor releases its locks.
     */
    BEFORE_COMMIT,
    /**
     * After the write of MOVING. If the process dies here, the rename is decided and no document has moved. A janitor
     * rolls the rename forward.
     */
    AFTER_COMMIT,
    /**
     * Before the deletion of the document that the source replaces. If the process dies here, this document is at the
     * destination until a janitor deletes it.
     */
    BEFORE_REMOVAL,
    /**
     * After the deletion of the document that the source replaces. If the process dies here, a janitor rolls the rename
     * forward and finds no document to delete.
     */
    AFTER_REMOVAL,
    /**
     * After a scan is opened and before the entry is written, or between two pages of a long pass. If the process dies
     * here, the documents of the following pages have not moved.
     */
    BEFORE_PROGRESS,
    /**
     * After the write of the entry and before the next moves. If the process freezes here until a take-over,
     * Elasticsearch refuses the late moves of the process, because the documents have new sequence numbers.
     */
    AFTER_PROGRESS,
    /** Before documents are moved. If the process dies here, these documents are at the source. */
    BEFORE_MOVE,
    /**
     * Between the writes of the two halves of a page. If the process dies here, the first half is at the destination.
     */
    WITHIN_MOVE,
    /**
     * After documents were moved. If the process dies here, the number of moved documents in the entry is too
     * low. No decision depends on this number.
     */
    AFTER_MOVE,
    /**
     * Before the next page of a scan is read. If the process dies here, a point in time of Elasticsearch remains open
     * until its keep-alive ends.
     */
    BETWEEN_PAGES,
    /**
     * After the last move, before the scan that proves that no document is left to move. If the process dies here, a
     * janitor makes this proof with two scans.
     */
    BEFORE_PROOF,
    /**
     * Before DONE is written. If the process dies here, all documents have moved. A janitor finds no document to move,
     * and writes DONE.
     */
    BEFORE_DONE,
    /**
     * After DONE is written. If the process dies here, a janitor releases the locks, publishes the outcome and closes
     * the entry.
     */
    AFTER_DONE,
    /**
     * Before the locks of a finished rename are released. If the process dies here, the locks remain, but the entry
     * shows that they are no longer valid.
     */
    BEFORE_RELEASE,
    /** After the locks of a finished rename are released. If the process dies here, a janitor publishes the outcome. */
    AFTER_RELEASE,
    /**
     * Before the outcome is published. If the process dies here, a janitor publishes the outcome that the entry
     * contains.
     */
    BEFORE_OUTCOME,
    /** After the outcome is published. If the process dies here, a janitor publishes the same outcome again. */
    AFTER_OUTCOME,
    /**
     * Before CLOSED is written. If the process dies here, a janitor publishes the same outcome again, and closes the
     * entry.
     */
    BEFORE_CLOSE,
    /**
     * After CLOSED is written. If the process dies here, Kafka delivers the request again. A worker then answers the
     * request from the journal.
     */
    AFTER_CLOSE,
    /**
     * Before the worker may commit the offset of the request. If the process dies here, Kafka delivers the request
     * again. A worker then answers the request from the journal.
     */
    BEFORE_OFFSET,

    /**
     * A janitor has fenced a process. If this janitor dies here, the next janitor takes over the renames of that
     * process.
     */
    AFTER_FENCE,
    /**
     * A janitor has become the owner of a rename. If this janitor dies here, the next janitor takes over the rename.
     */
    AFTER_TAKE_OVER,
    /**
     * A janitor that rolls a rename forward is between the writes of the two halves of a page. If this janitor dies
     * here, the next janitor continues.
     */
    ROLLING_FORWARD,
    /**
     * A janitor is about to release locks of a dead process. If this janitor dies here, the next janitor releases the
     * locks.
     */
    BEFORE_RECLAIM,
    /**
     * A janitor has released the locks of an undecided rename, but has not yet written RETRY. If this janitor dies
     * here, the next janitor releases the locks again and writes RETRY.
     */
    BEFORE_RETRY;

    /** Returns whether only a janitor reaches this point. */
    public boolean isOfJanitor() {
        return compareTo(AFTER_FENCE) >= 0;
    }
}
