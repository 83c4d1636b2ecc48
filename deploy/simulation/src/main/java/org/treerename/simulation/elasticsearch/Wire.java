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
            public void carries(JournalEntry entry) {
                // nobody asks
            }
        };
    }
}
