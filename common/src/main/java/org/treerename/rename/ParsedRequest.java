package org.treerename.rename;

import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.treerename.lock.LockPolicy;
import org.treerename.lock.LockSet;
import org.treerename.path.Notation;

/** What came out of the log under a usable request id. */
public sealed interface ParsedRequest {

    String requestId();

    /** Free text of whoever asked, kept as it is. */
    @Nullable
    String requestedBy();

    /** The trace in which it was asked; null if there is none. */
    @Nullable
    TraceContext trace();

    /**
     * A request of which every field is there and of the right kind; nothing else about it is known yet.
     *
     * @param replayOf the id of the request that failed and that this one repeats; null if it repeats none
     * @param trace not part of what is asked: the same request may come in another one
     * @param version in which documents are written whose versions another system gives, at least 1; null where it names none
     * @param sourceId the id of the one document that is to be at the source itself; null for any
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
                throw new IllegalArgumentException("a version is at least 1, found " + version);
            }
        }

        /** One that repeats none, in no trace, and names no version. */
        public RenameRequest(
                String requestId,
                String namespace,
                String source,
                String destination,
                OnExisting onExisting,
                @Nullable String requestedBy) {
            this(requestId, namespace, source, destination, onExisting, requestedBy, null, null, null, null);
        }

        /** The same once more, as a request of its own. */
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

        /** The same in this trace. */
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

        /** The same in this version. */
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

        /** The same, of the tree whose own document has this id. */
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

        /** The locks that it needs; empty where a path is none, so that it can only be rejected. */
        public Optional<LockSet> lockSet(LockPolicy locking) {
            Notation notation = locking.notation();
            return notation.problem(source).isPresent()
                            || notation.problem(destination).isPresent()
                    ? Optional.empty()
                    : Optional.of(locking.ofRename(namespace, notation.path(source), notation.path(destination)));
        }
    }

    /** A request of which a field is missing or of the wrong kind, and what is wrong. */
    record InvalidRequest(
            String requestId,
            @Nullable String requestedBy,
            String problem,
            @Nullable TraceContext trace) implements ParsedRequest {

        /** One in no trace. */
        public InvalidRequest(String requestId, @Nullable String requestedBy, String problem) {
            this(requestId, requestedBy, problem, null);
        }
    }
}
