package org.treerename.producer.http;

import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.treerename.journal.Delivery;
import org.treerename.journal.JournalEntry;
import org.treerename.journal.Ownership;
import org.treerename.request.ParsedRequest.RenameRequest;

/**
 * Finds the requests that wait in the request topic and that no worker has begun. A call may throw {@link
 * org.treerename.store.NoAnswerException}.
 */
interface WaitingRequests {

    /** A waiting request. */
    record Queued(Delivery delivery) {

        String requestId() {
            return delivery.requestId();
        }

        /** Returns the parsed request; null for an invalid request, which a worker will reject. */
        @Nullable
        RenameRequest request() {
            return delivery.asked() instanceof RenameRequest request ? request : null;
        }

        /** Returns the entry that a worker will write. The owner is not known yet. */
        JournalEntry entry() {
            return JournalEntry.prepared(delivery, new Ownership("unknown", 1, null));
        }
    }

    /**
     * The result of a search for one request.
     *
     * @param isComplete whether the search included all waiting requests
     */
    record SearchResult(Optional<Queued> found, boolean isComplete) {}

    /**
     * The result of a search for several requests.
     *
     * @param found the requests that were found, by their ids
     * @param isComplete whether the search included all waiting requests
     * @param isPermitted whether the gateway has the right to read the request topic
     */
    record SearchResults(Map<String, Queued> found, boolean isComplete, boolean isPermitted) {}

    default SearchResult find(String requestId) {
        SearchResults results = findAll(Set.of(requestId));
        return new SearchResult(Optional.ofNullable(results.found().get(requestId)), results.isComplete());
    }

    /** Searches for all these requests at once. */
    SearchResults findAll(Set<String> requestIds);
}
