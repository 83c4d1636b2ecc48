package org.treerename.elastic;

import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Refreshes an index beside the moves of one pass. The refresh of the next pass, for which the rename waits, then has less to do. Nothing
 * depends on it. One thread calls it.
 */
final class EarlyRefresh {

    /** How many documents are written between two refreshes. */
    static final int EVERY = 25_000;

    /** After so many documents Elasticsearch writes its segments in good time by itself. */
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

    /** Notes that so many documents were written, and begins a refresh if it is time for one. */
    void written(long documents) {
        written += documents;
        if (written <= UP_TO && written - refreshed >= EVERY && isUnderWay.compareAndSet(false, true)) {
            refreshed = written;
            executor.execute(this::refresh);
        }
    }

    private void refresh() {
        try {
            var unused = elastic.post("/" + index + "/_refresh");
        } catch (RuntimeException e) {
            log.debug("an early refresh of {} failed: {}", index, e.toString());
        } finally {
            isUnderWay.set(false);
        }
    }
}
