package org.treerename.journal;

import org.jspecify.annotations.Nullable;

/**
 * The progress of the move.
 *
 * @param expected the number of documents to move
 * @param moved the number of moved documents
 * @param passes the number of passes that have begun
 * @param unreplaced the number of documents at the destination that are too new for a replacement; null until the
 *     removals are complete. After the removals, no process removes a document
 */
public record Progress(
        long expected, long moved, int passes, @Nullable Integer unreplaced) {

    static final Progress NONE = new Progress(0, 0, 0);

    /** Creates the progress of a rename whose removals are not complete. */
    public Progress(long expected, long moved, int passes) {
        this(expected, moved, passes, null);
    }

    Progress to(long nowMoved, int nowPasses) {
        return new Progress(expected, nowMoved, nowPasses, unreplaced);
    }

    Progress replaced(int nowUnreplaced) {
        return new Progress(expected, moved, passes, nowUnreplaced);
    }
}
