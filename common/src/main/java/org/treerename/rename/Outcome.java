package org.treerename.rename;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * How a rename ended.
 *
 * @param reason null where there is nothing to say
 * @param message for people, in one sentence
 * @param moved documents whose new path was acknowledged
 * @param refused documents that stay, because another system has given them a version that the request may not overwrite
 * @param processId the process that ended it
 * @param rolledForward whether another process had begun it
 * @param requestedAt when the log took the request
 * @param committedAt when it was decided; null if it never was
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
