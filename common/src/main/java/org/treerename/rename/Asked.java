package org.treerename.rename;

import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.treerename.lock.LockSet;
import org.treerename.path.Notation;

/** What came out of the log under a usable request id. */
public sealed interface Asked {

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
     */
    record RenameRequest(
            String requestId,
            String namespace,
            String source,
            String destination,
            OnExisting onExisting,
            @Nullable String requestedBy,
            @Nullable String replayOf,
            @Nullable TraceContext trace)
            implements Asked {

        /** One that repeats none, in no trace. */
        public RenameRequest(
                String requestId,
                String namespace,
                String source,
                String destination,
                OnExisting onExisting,
                @Nullable String requestedBy) {
            this(requestId, namespace, source, destination, onExisting, requestedBy, null, null);
        }

        /** The same once more, as a request of its own. */
        public RenameRequest replayedAs(String newRequestId) {
            return new RenameRequest(
                    newRequestId, namespace, source, destination, onExisting, requestedBy, requestId, trace);
        }

        /** The same in this trace. */
        public RenameRequest in(@Nullable TraceContext other) {
            return new RenameRequest(
                    requestId, namespace, source, destination, onExisting, requestedBy, replayOf, other);
        }

        /** The locks that it needs; empty where a path is none, so that it can only be rejected. */
        public Optional<LockSet> lockSet(Notation notation) {
            return notation.problem(source).isPresent()
                            || notation.problem(destination).isPresent()
                    ? Optional.empty()
                    : Optional.of(LockSet.tree(namespace, notation.path(source), notation.path(destination)));
        }
    }

    /** A request of which a field is missing or of the wrong kind, and what is wrong. */
    record InvalidRequest(
            String requestId,
            @Nullable String requestedBy,
            String problem,
            @Nullable TraceContext trace) implements Asked {

        /** One in no trace. */
        public InvalidRequest(String requestId, @Nullable String requestedBy, String problem) {
            this(requestId, requestedBy, problem, null);
        }
    }
}
