package org.treerename.journal;

import java.time.Instant;

/**
 * A writer, which is a program outside of tree rename. A writer writes documents and uses the locks of tree rename.
 *
 * @param requestId an id that no request in the log has
 * @param askedAt the time of the lock request by the local clock; this time affects only fairness
 */
public record ExternalWriter(String requestId, WriteTarget writeTarget, Instant askedAt) implements LockRequester {

    @Override
    public JournalEntry begun(Ownership ownership) {
        return JournalEntry.held(this, ownership);
    }

    /**
     * Replaces a placeholder. A sweep creates a placeholder if it finds a hold of this writer before the entry of the
     * writer exists.
     */
    @Override
    public JournalEntry again(JournalEntry found) {
        return found.isPlaceholder() ? begun(found.ownership()) : found;
    }

    @Override
    public boolean isItsOwn(JournalEntry found) {
        return found.isPlaceholder() || writeTarget.equals(found.writeTarget());
    }
}
