package org.treerename.simulation.elasticsearch;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.treerename.journal.JournalEntry;

/** Sends the requests of one process to Elasticsearch, and returns the answers. */
public interface Wire {

    /**
     * Sends a request and blocks until it is answered.
     *
     * @throws org.treerename.store.NoAnswerException if no answer arrives. The request was executed, will be executed
     *     later, or is never executed
     */
    <T> T ask(Request<T> request);

    /** Sends a request and returns before it is answered. */
    <T> Pending<T> begin(Request<T> request);

    /** A request that was sent. The sender can wait for the answer. */
    interface Pending<T> {

        boolean hasEnded();

        /**
         * Blocks until the request is answered.
         *
         * @throws org.treerename.store.NoAnswerException if no answer arrives, as in {@link Wire#ask}
         */
        T answer();
    }

    /**
     * Sets the journal entry that the calling thread processes from now on. The {@link Sender} of each later request of
     * this thread contains this entry.
     */
    void processes(JournalEntry entry);

    /** Returns a wire without delays and without faults. */
    static Wire direct(Cluster cluster) {
        return new Wire() {
            @Override
            public <T> T ask(Request<T> request) {
                View view = new View(cluster, new Sender("direct", null), 0, 0);
                List<@Nullable Object> results = new ArrayList<>();
                request.items().forEach(item -> results.add(item.apply(view)));
                return request.answer().apply(results);
            }

            @Override
            public <T> Pending<T> begin(Request<T> request) {
                T answer = ask(request);
                return new Pending<>() {
                    @Override
                    public boolean hasEnded() {
                        return true;
                    }

                    @Override
                    public T answer() {
                        return answer;
                    }
                };
            }

            @Override
            public void processes(JournalEntry entry) {
                // direct requests contain no entry
            }
        };
    }
}
