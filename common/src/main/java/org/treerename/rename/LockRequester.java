package org.treerename.rename;

import org.treerename.rename.JournalEntry.Ownership;

/** For whom a lock set is taken: a request that was delivered, or a writer. */
interface LockRequester {

    String requestId();

    /** The entry of its first attempt. */
    JournalEntry begun(Ownership ownership);

    /** What the entry of its next attempt is made of, where this one stands. */
    JournalEntry again(JournalEntry found);

    /** Whether an entry under its request id is its own. */
    boolean isItsOwn(JournalEntry found);
}
