package org.treerename.request;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The result of a rename.
 *
 * @param reason null if the rename completed without a remark, or was cancelled
 * @param message one sentence for people
 * @param moved the number of documents whose new path was acknowledged
 * @param refused the number of documents that were not moved, because another system has assigned them a version that
 *     is too new for the request
 * @param processId the process that ended the rename
 * @param rolledForward whether another process decided the rename
 * @param requestedAt the time at which the log appended the request
 * @param committedAt the time of the commit; null if the rename was not committed
 */
public record Outcome(
        String requestId,
        Status status,
        @Nullable Reason reason,
        String message,
        long moved,
        long refused,
        String processId,
        boolean rolledForward,
        @Nullable String requestedBy,
        Instant requestedAt,
        @Nullable Instant committedAt,
        Instant finishedAt) {}
