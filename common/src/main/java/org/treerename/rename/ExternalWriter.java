package org.treerename.rename;

import java.time.Instant;
import org.treerename.rename.JournalEntry.Ownership;

/**
 * Somebody who writes and takes part in the locks.
 *
 * @param requestId of no request in the log
 * @param askedAt by the own clock; it decides about fairness only
 */
record ExternalWriter(String requestId, WriteTarget writeTarget, Instant askedAt) implements LockRequester {

    @Override
    public JournalEntry begun(Ownership ownership) {
        return JournalEntry.held(this, ownership);
    }

    /** A placeholder is of a hold of ours that came before its entry. */
    @Override
    public JournalEntry again(JournalEntry found) {
        return found.isPlaceholder() ? begun(found.ownership()) : found;
    }

    @Override
    public boolean isItsOwn(JournalEntry found) {
        return found.isPlaceholder() || writeTarget.equals(found.writeTarget());
    }
}
