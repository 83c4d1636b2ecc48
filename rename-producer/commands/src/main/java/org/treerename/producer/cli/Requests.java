package org.treerename.producer.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.treerename.journal.State;

/**
 * Reads and cancels requests, in the journal or through a gateway. Each request has the JSON format that all overviews
 * use (see {@link org.treerename.overview.OverviewJson}). Each method may throw {@link
 * org.treerename.store.NoAnswerException} or {@link org.treerename.store.RefusedException}.
 */
interface Requests extends AutoCloseable {

    /** The result of {@link #cancel}. */
    sealed interface Cancelling {

        record Cancelled(ObjectNode request) implements Cancelling {}

        record AlreadyDecided(ObjectNode request) implements Cancelling {}

        record Unknown() implements Cancelling {}

        /** The id belongs to the hold of a writer. */
        record NoRename() implements Cancelling {}
    }

    /**
     * The conditions for the requests in a list.
     *
     * @param namespace the name of the namespace; null for all namespaces
     * @param prefix the beginning of the source or of the destination; null for all paths
     */
    record Filter(
            Set<State> states,
            @Nullable String namespace,
            @Nullable String prefix) {
        public Filter {
            states = Set.copyOf(states);
        }
    }

    /**
     * A page of a list.
     *
     * @param next the cursor of the next page; null on the last page
     */
    record Page(List<ObjectNode> requests, @Nullable String next) {
        public Page {
            requests = List.copyOf(requests);
        }
    }

    /**
     * Returns the current state of a request; empty if the journal does not know the request.
     */
    Optional<ObjectNode> read(String requestId);

    /** Cancels a request if the rename is not decided. */
    Cancelling cancel(String requestId, String by);

    /**
     * Returns the next page of renames, the latest request first. A page with fewer than {@code most} requests, or
     * without requests, is not always the last page.
     *
     * @param after {@link Page#next} of the previous page; null for the first page
     * @param most the largest number of requests, 1 to 100
     */
    Page list(Filter filter, @Nullable String after, int most);

    @Override
    void close();
}
