package org.treerename.journal;

/** The owner of a lock set: a delivered request, or a writer. */
public interface LockRequester {

    String requestId();

    /** Returns the entry of the first attempt. */
    JournalEntry begun(Ownership ownership);

    /** Returns the entry on which the next attempt is based, if the journal already has an entry. */
    JournalEntry again(JournalEntry found);

    /** Returns whether an entry under this request id belongs to this requester. */
    boolean isItsOwn(JournalEntry found);
}
