package org.treerename.journal;

/** The steps of the protocol that write a journal entry. The caller of a write names the step. */
public enum JournalStep {
    /** An attempt: writes PREPARED, or HELD for a writer, and acquires the lock set. */
    ATTEMPT,
    /** Acquires further locks under the hold of the last attempt. The write of the entry is a no-op. */
    FURTHER_LOCKS,
    /** Writes RETRY. The rename is not decided, and the next delivery starts a new attempt. */
    RETRY,
    /** Decides a rename: writes MOVING with the decision. */
    COMMIT,
    /** Records that the rename has removed the documents that it replaces. */
    REMOVALS,
    /** Records the progress of the move. */
    PROGRESS,
    /** Writes PARKED: a decided rename cannot continue now. */
    PARK,
    /** Writes MOVING over PARKED. */
    RESUME,
    /** Writes DONE, REJECTED or FAILED with the outcome. */
    END,
    /**
     * Writes FAILED for a request that was released for a retry and not delivered again. The writing process becomes
     * the owner.
     */
    NOT_DELIVERED,
    /** Writes CANCELLED with the outcome. */
    CANCEL,
    /** Writes DONE over PARKED with the outcome: the rename is abandoned, and documents may be left at the source. */
    ABANDON,
    /** Writes CLOSED. */
    CLOSE,
    /** Makes this process the owner of another process's entry. */
    TAKE_OVER,
    /** Continues an entry that this process already owns, and that no thread is processing. */
    PICK_UP,
    /**
     * Confirms by an acknowledged write that the entry has not changed since the last read. The state does not change.
     */
    NO_OP,
    /** Creates the placeholder of a request that has a hold or a claim, but no entry. */
    PLACEHOLDER,
    /** Writes the entry of a writer over a placeholder. */
    REPLACE_PLACEHOLDER
}
