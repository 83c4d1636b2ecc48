package org.treerename.journal;

/** The requester of a lock set: a delivered request, or a writer. */
public interface LockRequester {

    String requestId();

    /** Returns the entry of the first attempt. */
    JournalEntry begun(Ownership ownership);

    /** Returns the entry for the next attempt, derived from the entry that the journal already contains. */
    JournalEntry again(JournalEntry found);

    /** Returns whether an entry with this request id belongs to this requester. */
    boolean isItsOwn(JournalEntry found);
}
