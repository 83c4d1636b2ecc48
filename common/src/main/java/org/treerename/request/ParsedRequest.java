package org.treerename.request;

import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.treerename.lock.LockPolicy;
import org.treerename.lock.LockSet;
import org.treerename.path.Notation;

/** A record of the request log that has a usable request id. */
public sealed interface ParsedRequest {

    String requestId();

    /** Returns the free text that names the sender, unchanged; null if there is none. */
    @Nullable
    String requestedBy();

    /** Returns the trace that the request belongs to; null if there is none. */
    @Nullable
    TraceContext trace();

    /**
     * A request that has every required field, each with the right type. No other check of the request has been made
     * yet.
     *
     * @param replayOf the id of the failed request that this request repeats; null if this request repeats no other
     *     request
     * @param trace the trace of the request; it is not part of the content, because the same request may be delivered
     *     in another trace
     * @param version the version with which the rename writes documents, if another system assigns versions. At least
     *     1; null if the request has no version
     * @param sourceId the id of the one document that must be at the source itself; null allows any document
     */
    record RenameRequest(
            String requestId,
            String namespace,
            String source,
            String destination,
            OnExisting onExisting,
            @Nullable String requestedBy,
            @Nullable String replayOf,
            @Nullable TraceContext trace,
            @Nullable Long version,
            @Nullable String sourceId)
            implements ParsedRequest {

        public RenameRequest {
            if (version != null && version < 1) {
                throw new IllegalArgumentException("version must be at least 1, was " + version);
            }
        }

        /** Creates a request that repeats no other request, and has no trace, no version and no source id. */
        public RenameRequest(
                String requestId,
                String namespace,
                String source,
                String destination,
                OnExisting onExisting,
                @Nullable String requestedBy) {
            this(requestId, namespace, source, destination, onExisting, requestedBy, null, null, null, null);
        }

        /** Returns a new request that repeats this request under another id. */
        public RenameRequest replayedAs(String newRequestId) {
            return new RenameRequest(
                    newRequestId,
                    namespace,
                    source,
                    destination,
                    onExisting,
                    requestedBy,
                    requestId,
                    trace,
                    version,
                    sourceId);
        }

        /** Returns this request with another trace. */
        public RenameRequest in(@Nullable TraceContext other) {
            return new RenameRequest(
                    requestId,
                    namespace,
                    source,
                    destination,
                    onExisting,
                    requestedBy,
                    replayOf,
                    other,
                    version,
                    sourceId);
        }

        /** Returns this request with another text about who requested it. */
        public RenameRequest requestedBy(@Nullable String other) {
            return new RenameRequest(
                    requestId, namespace, source, destination, onExisting, other, replayOf, trace, version, sourceId);
        }

        /** Returns this request with another version. */
        public RenameRequest withVersion(long other) {
            return new RenameRequest(
                    requestId,
                    namespace,
                    source,
                    destination,
                    onExisting,
                    requestedBy,
                    replayOf,
                    trace,
                    other,
                    sourceId);
        }

        /** Returns this request with another source id; null allows any document at the source. */
        public RenameRequest withSourceId(@Nullable String other) {
            return new RenameRequest(
                    requestId,
                    namespace,
                    source,
                    destination,
                    onExisting,
                    requestedBy,
                    replayOf,
                    trace,
                    version,
                    other);
        }

        /**
         * Returns the locks that the request needs. Returns empty if the source or the destination is not a valid path,
         * because such a request can only be rejected.
         */
        public Optional<LockSet> lockSet(LockPolicy locking) {
            Notation notation = locking.notation();
            return notation.problem(source).isPresent()
                            || notation.problem(destination).isPresent()
                    ? Optional.empty()
                    : Optional.of(locking.ofRename(namespace, notation.path(source), notation.path(destination)));
        }
    }

    /**
     * A request that lacks a required field, or has a field with a wrong type or a wrong value.
     *
     * @param problem the description of the error
     */
    record InvalidRequest(
            String requestId,
            @Nullable String requestedBy,
            String problem,
            @Nullable TraceContext trace) implements ParsedRequest {

        /** Creates an invalid request without a trace. */
        public InvalidRequest(String requestId, @Nullable String requestedBy, String problem) {
            this(requestId, requestedBy, problem, null);
        }
    }
}
