package org.treerename.producer.http;

import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.treerename.request.ParsedRequest.RenameRequest;

/**
 * Finds the requests that wait in the request topic and that no worker has begun. Any thread may call this interface. A
 * call may throw {@link org.treerename.store.NoAnswerException}.
 */
interface WaitingRequests {

    /**
     * A waiting request.
     *
     * @param request the parsed request; null for an invalid request, which a worker will reject
     */
    record Queued(
            String requestId,
            @Nullable RenameRequest request,
            @Nullable String requestedBy,
            Instant requestedAt) {}

    /**
     * The result of a search.
     *
     * @param isComplete whether the search included all waiting requests
     */
    record SearchResult(Optional<Queued> found, boolean isComplete) {}

    SearchResult find(String requestId);
}
