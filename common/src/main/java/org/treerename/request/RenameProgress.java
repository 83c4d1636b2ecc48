package org.treerename.request;

import org.jspecify.annotations.Nullable;

/**
 * The progress of the move of a decided rename, as the owner of the rename reported it. The numbers come from an
 * acknowledged write of the journal entry. The current numbers may be higher, but they are never lower.
 *
 * @param moved the number of documents whose move was acknowledged
 * @param expected the number of documents at or below the source when the rename was checked; more documents may move
 *     if other programs keep creating documents below the source
 * @param passes the number of passes that have begun; at least 1 after the first page was read
 * @param processId the id of the process that moves the documents
 * @param rolledForward whether another process decided the rename
 * @param decided the time of the decision; null if an earlier version of the program sent the report without this time
 * @param parked the reason why the rename is parked; null if the rename is not parked
 */
public record RenameProgress(
        String requestId,
        long moved,
        long expected,
        int passes,
        String processId,
        boolean rolledForward,
        @Nullable DecisionTime decided,
        @Nullable String parked) {

    /** Returns what a person must know about a parked rename: the reason, and what to do. */
    public static String parkedInWords(String requestId, String reason) {
        return "request " + requestId + " is parked: " + reason + "; it keeps its locks, and a janitor tries again;"
                + " correct the cause and run rename-admin retry-parked " + requestId
                + ", or end the rename with rename-admin abandon " + requestId;
    }
}
