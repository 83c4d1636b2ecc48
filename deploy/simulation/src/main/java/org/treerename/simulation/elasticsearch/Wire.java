package org.treerename.simulation.elasticsearch;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.treerename.rename.JournalEntry;

/** The way of one process's requests to Elasticsearch and back. */
public interface Wire {

    /**
     * Sends a request and waits for its answer.
     *
     * @throws org.treerename.store.NoAnswerException if none came; it may have been executed, and may still be
     */
    <T> T ask(Request<T> request);

    /** Sends a request, and does not wait for its answer. */
    <T> Pending<T> begin(Request<T> request);

    /** A request that was sent. */
    interface Pending<T> {

        boolean hasEnded();

        /**
         * Waits for the answer.
         *
         * @throws org.treerename.store.NoAnswerException as {@link Wire#ask} does
         */
        T answer();
    }

    /** The calling thread carries this rename from now on; every request says so. */
    void carries(JournalEntry entry);

    /** Without delay and without faults. */
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
            public void carries(JournalEntry entry) {
                // nobody asks
            }
        };
    }
}
