package org.treerename.elastic;

import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Refreshes an index while a pass of a rename moves documents. Before the next pass begins, the rename waits for a
 * refresh of the index. Early refreshes make this wait shorter. Correctness does not depend on an early refresh. Only
 * one thread calls this class.
 */
final class EarlyRefresh {

    /** The minimum number of documents that are written between two early refreshes. */
    static final int EVERY = 25_000;

    /**
     * The number of written documents after which early refreshes stop. After this number, Elasticsearch writes
     * segments often enough by itself.
     */
    static final int UP_TO = 300_000;

    private static final Logger log = LoggerFactory.getLogger(EarlyRefresh.class);

    private final Elastic elastic;
    private final String index;
    private final Executor executor;
    private final AtomicBoolean isUnderWay = new AtomicBoolean();
    private long written;
    private long refreshed;

    /**
     * @param executor runs the refreshes
     */
    EarlyRefresh(Elastic elastic, String index, Executor executor) {
        this.elastic = elastic;
        this.index = index;
        this.executor = executor;
    }

    /**
     * Adds a number to the count of written documents. Begins a refresh if enough documents were written since the last
     * refresh.
     */
    void written(long documents) {
        written += documents;
        if (written <= UP_TO && written - refreshed >= EVERY && isUnderWay.compareAndSet(false, true)) {
            refreshed = written;
            executor.execute(this::refresh);
        }
    }

    private void refresh() {
        try {
            var unused = elastic.refreshed(index);
        } catch (RuntimeException e) {
            log.debug(
                    "an early refresh of {} failed: {}; the rename refreshes the index again before the next pass",
                    index,
                    e.toString());
        } finally {
            isUnderWay.set(false);
        }
    }
}
