package org.treerename.request;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.treerename.path.TreePath;

/**
 * The result of a rename.
 *
 * @param reason null if the rename completed without a remark, or was cancelled
 * @param message one sentence for people
 * @param moved the number of moved documents; may be too low if the rename was abandoned or may have left documents
 * @param refused the number of documents that were not moved, because their version, which another system assigned, is
 *     too new for the request, because their index joined the tree after the commit, or because the rename was
 *     abandoned
 * @param processId the id of the process that ended the rename
 * @param rolledForward whether another process decided the rename
 * @param requestedAt the time at which Kafka appended the request
 * @param committedAt the time of the commit; null if the rename was not committed
 * @param paths the namespace and the paths of the request. Null if the request was malformed, or if one of these texts
 *     was too long or was not well-formed Unicode. Also null if an earlier version of the program published the outcome
 *     without paths
 * @param unknown the names that this version does not know; null if it knows both names
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
        Instant finishedAt,
        @Nullable Paths paths,
        @Nullable Unknown unknown) {

    /** The published names of a status and of a reason, at least one of which is unknown to this version. */
    public record Unknown(String status, @Nullable String reason) {}

    /** The namespace and the two paths of a request, as the request contains them. */
    public record Paths(String namespace, String source, String destination) {

        /**
         * Returns the namespace and the paths of a request. Returns null if the request is null, or if one of these
         * texts is too long for a path or is not well-formed Unicode.
         */
        public static @Nullable Paths of(ParsedRequest.@Nullable RenameRequest request) {
            return request != null
                            && isUsable(request.namespace())
                            && isUsable(request.source())
                            && isUsable(request.destination())
                    ? new Paths(request.namespace(), request.source(), request.destination())
                    : null;
        }

        private static boolean isUsable(String text) {
            return text.codePointCount(0, text.length()) <= TreePath.MAX_CODE_POINTS
                    && StandardCharsets.UTF_8.newEncoder().canEncode(text);
        }
    }

    /** Creates an outcome whose status and reason this version knows. */
    public Outcome(
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
            Instant finishedAt,
            @Nullable Paths paths) {
        this(
                requestId,
                status,
                reason,
                message,
                moved,
                refused,
                processId,
                rolledForward,
                requestedBy,
                requestedAt,
                committedAt,
                finishedAt,
                paths,
                null);
    }

    /** Returns the published name of the status. If {@link #status} is {@link Status#OTHER}, only this name is known. */
    public String publishedStatus() {
        return unknown == null ? status.published() : unknown.status();
    }

    /**
     * Returns the published name of the reason; null if there is no reason. If {@link #reason} is {@link Reason#OTHER},
     * only this name is known.
     */
    public @Nullable String publishedReason() {
        if (unknown != null) {
            return unknown.reason();
        }
        return reason == null ? null : reason.published();
    }
}
