package org.treerename.producer.http;

import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.treerename.request.ParsedRequest.RenameRequest;

/**
 * Finds the requests that wait in the request topic and that no worker has begun. Any thread may call this interface; a
 * call may throw {@link org.treerename.store.NoAnswerException}.
 */
interface WaitingRequests {

    /**
     * A waiting request.
     *
     * @param request null if the request is not valid, so that the worker will reject it
     */
    record Queued(
            String requestId,
            @Nullable RenameRequest request,
            @Nullable String requestedBy,
            Instant requestedAt) {}

    /**
     * The result of a search.
     *
     * @param isComplete whether all waiting requests were searched; if not, a request that was not found may still wait
     */
    record SearchResult(Optional<Queued> found, boolean isComplete) {}

    SearchResult find(String requestId);
}
