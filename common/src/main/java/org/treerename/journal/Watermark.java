package org.treerename.journal;

import java.time.Instant;

/**
 * The time before which journal entries may have been deleted. A request is expired if all its records are before this
 * time. The watermark never decreases. Any thread may call this interface.
 */
public interface Watermark {

    /**
     * The watermark as a write has stored it.
     *
     * @param at the watermark; {@link Instant#EPOCH} if it was never raised
     * @param writtenAt the time of the write, by the clock of the store
     */
    record Mark(Instant at, Instant writtenAt) {}

    /**
     * Raises the watermark to this time, unless it is higher already. Writes in both cases, because only an
     * acknowledged write shows the current watermark.
     *
     * @throws org.treerename.store.NoAnswerException if the store does not answer
     */
    Mark raise(Instant to);

    /** Returns the current watermark. An acknowledged write confirms it. */
    default Mark confirmed() {
        return raise(Instant.EPOCH);
    }
}
