package org.treerename.rename;

import org.jspecify.annotations.Nullable;

/** What came out of the log under a usable request id. */
public sealed interface Asked {

    String requestId();

    /** Free text of whoever asked, kept as it is. */
    @Nullable
    String requestedBy();

    /** A request of which every field is there and of the right kind; nothing else about it is known yet. */
    record RenameRequest(
            String requestId,
            String namespace,
            String source,
            String destination,
            OnExisting onExisting,
            @Nullable String requestedBy)
            implements Asked {}

    /** A request of which a field is missing or of the wrong kind, and what is wrong. */
    record InvalidRequest(String requestId, @Nullable String requestedBy, String problem) implements Asked {}
}
