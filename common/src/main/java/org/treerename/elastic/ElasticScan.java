package org.treerename.elastic;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;
import org.treerename.process.ProcessContext;
import org.treerename.store.NoAnswerException;
import org.treerename.tree.Document;
import org.treerename.tree.TreeStore.Scan;

/**
 * A scan that reads a point in time in slices. One thread per slice reads pages before the calling thread needs them.
 * All pages show the documents as they were when the point in time was opened. So the time of a read and the size of a
 * page do not change the result. Only one thread calls this class.
 */
final class ElasticScan implements Scan {

    /** The maximum number of small pages that may wait for the calling thread. */
    private static final int AHEAD = 3;

    /** The minimum size of the last pages of a scan, in bytes. */
    private static final long LEAST_PAGE_BYTES = 128 * 1024;

    private static final Logger log = LoggerFactory.getLogger(ElasticScan.class);

    /**
     * The settings of a scan.
     *
     * @param slices the number of slices; each slice has a thread
     * @param ending runs the request that closes the point in time
     */
    record Manner(ElasticTreeStore.Limits limits, HeapShare heap, int slices, Executor ending) {}

    /** An item of the queue: a page, or the failure of a reading thread. */
    private sealed interface Read {

        record Page(Slice.Page page) implements Read {}

        /** The failure of a reading thread. The thread reads no further page after this failure. */
        record Failed(Throwable failure) implements Read {}

        default long bytes() {
            return this instanceof Page(Slice.Page page) ? page.bytes() : 0;
        }
    }

    private final Elastic elastic;
    private final Slice.Reading reading;
    private final Manner manner;
    private final List<Slice> slices = new ArrayList<>();
    private final PageQueue<Read> reads = new PageQueue<>(this::hasRoom);
    private int unread;

    private final Deque<Document> ready = new ArrayDeque<>();

    private long readyBytes;

    /** The bytes of the pages returned last. The bulks that move their documents may still be in progress. */
    private final Deque<Long> underWay = new ArrayDeque<>();

    private boolean isClosed;

    private ElasticScan(Elastic elastic, Slice.Reading reading, Manner manner) {
        this.elastic = elastic;
        this.reading = reading;
        this.manner = manner;
    }

    static ElasticScan open(Elastic elastic, Slice.Reading reading, Manner manner) {
        String index = reading.namespace().index();
        String pitId = elastic.openPointInTime(index, Slice.KEEP_ALIVE)
                .orElseThrow(() -> new NoAnswerException("there is no index or alias " + index, null));
        ElasticScan scan = new ElasticScan(elastic, reading, manner);
        scan.begin(pitId);
        return scan;
    }

    private void begin(String pitId) {
        for (int i = 0; i < manner.slices(); i++) {
            Slice.Part part = new Slice.Part(i, manner.slices());
            slices.add(new Slice(
                    elastic, reading, part, new PageSize(manner.limits().ofOneRead()), pitId));
        }
        unread = slices.size();
        slices.forEach(slice -> Thread.ofVirtual().name("tree-scan").start(() -> read(slice)));
    }

    private void read(Slice slice) {
        try {
            boolean isLast = false;
            while (!isLast && !reads.isClosed()) {
                isLast = readPage(slice);
            }
        } catch (Throwable e) {
            // the thread that waits for a page must receive every failure
            reads.put(new Read.Failed(e));
        }
    }

    private boolean readPage(Slice slice) {
        HeapShare heap = manner.heap();
        long bytes = heap.take(manner.limits().bulkBytes());
        boolean isQueued = false;
        try {
            Slice.Page page = slice.next(bytes);
            heap.correct(bytes, page.bytes());
            bytes = page.bytes();
            isQueued = reads.put(new Read.Page(page));
            return page.isLast();
        } finally {
            if (!isQueued) {
                heap.release(bytes);
            }
        }
    }

    /** If the documents are large, each thread reads only one page ahead. */
    private boolean hasRoom(Collection<Read> waiting) {
        return waiting.size() < AHEAD
                && waiting.stream().mapToLong(Read::bytes).sum()
                        < manner.limits().bulkBytes();
    }

    /**
     * Returns the next documents. Blocks only if no document is ready. The last pages are smaller, so that the last
     * bulks end at about the same time.
     */
    @Override
    public List<Document> nextPage() {
        if (underWay.size() == ElasticMoveStream.SIDE_BY_SIDE) {
            manner.heap().release(underWay.removeFirst());
        }
        while (unread > 0 && ready.isEmpty()) {
            elastic.asking();
            add(reads.take());
        }
        while (unread > 0 && readyBytes < manner.limits().pageBytes()) {
            Optional<Read> more = reads.takeIf(Read.Page.class::isInstance);
            if (more.isEmpty()) {
                break;
            }
            add(more.get());
        }
        return page(unread > 0 ? manner.limits().pageBytes() : lastPageBytes());
    }

    private long lastPageBytes() {
        int most = manner.limits().pageBytes();
        return Math.clamp(readyBytes / ElasticMoveStream.SIDE_BY_SIDE, Math.min(LEAST_PAGE_BYTES, most), most);
    }

    private List<Document> page(long wantedBytes) {
        List<Document> page = new ArrayList<>();
        long bytes = 0;
        while (!ready.isEmpty() && page.size() < manner.limits().documents()) {
            int next = ready.getFirst().source().bytes().length;
            if (bytes > 0 && bytes + next > wantedBytes) {
                break;
            }
            bytes += next;
            page.add(ready.removeFirst());
        }
        readyBytes -= bytes;
        underWay.addLast(bytes);
        return page;
    }

    private void add(Read read) {
        switch (read) {
            case Read.Page(Slice.Page page) -> {
                readyBytes += page.bytes();
                unread -= page.isLast() ? 1 : 0;
                ready.addAll(page.documents());
            }
            case Read.Failed(RuntimeException failure) -> throw failure;
            case Read.Failed(Error failure) -> throw failure;
            case Read.Failed(Throwable failure) -> throw new IllegalStateException(failure);
        }
    }

    /**
     * Releases the reserved bytes of the heap, and closes the point in time. A failure to close the point in time is
     * only logged: Elasticsearch closes the point in time when the keep-alive ends.
     */
    @Override
    public void close() {
        if (isClosed) {
            return;
        }
        isClosed = true;
        underWay.forEach(manner.heap()::release);
        manner.heap().release(readyBytes);
        ready.clear();
        for (Read leftover : reads.close()) {
            manner.heap().release(leftover.bytes());
        }
        manner.ending().execute(this::closePointInTime);
    }

    private void closePointInTime() {
        try {
            elastic.closePointInTime(slices.getFirst().pitId());
        } catch (NoAnswerException e) {
            logUnclosed(ProcessContext.levelOf(e), e);
        } catch (RuntimeException e) {
            logUnclosed(Level.WARN, e);
        }
    }

    private void logUnclosed(Level level, RuntimeException failure) {
        log.atLevel(level)
                .log(
                        "a point in time of {} was not closed: {}; Elasticsearch closes it after {}",
                        reading.namespace().index(),
                        failure.getMessage(),
                        Slice.KEEP_ALIVE);
    }
}
