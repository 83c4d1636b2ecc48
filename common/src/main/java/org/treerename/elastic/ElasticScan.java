package org.treerename.elastic;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;
import org.treerename.rename.Document;
import org.treerename.rename.ProcessContext;
import org.treerename.rename.TreeStore.Scan;
import org.treerename.store.NoAnswerException;

/**
 * A point in time, read in slices, each by a thread that is ahead of the thread that writes what was read. All pages show
 * the one moment at which it was opened, so it does not matter when they are read, nor how reads are cut into pages. One thread calls it.
 */
final class ElasticScan implements Scan {

    /** How many reads may lie ready, where they are small. */
    private static final int AHEAD = 3;

    /** Of a page that could be smaller. */
    private static final long LEAST_PAGE_BYTES = 128 * 1024;

    private static final Logger log = LoggerFactory.getLogger(ElasticScan.class);

    /**
     * How it reads.
     *
     * @param slices how many
     * @param ending runs the request that ends the point in time
     */
    record Manner(ElasticTreeStore.Limits limits, HeapShare heap, int slices, Executor ending) {}

    /** What a reading thread hands over. */
    private sealed interface Read {

        record Page(Slice.Page page) implements Read {}

        /** It will not read any more. */
        record Failed(Throwable failure) implements Read {}

        default long bytes() {
            return this instanceof Page(Slice.Page page) ? page.bytes() : 0;
        }
    }

    private final Elastic elastic;
    private final Slice.Reading reading;
    private final Manner manner;
    private final List<Slice> slices = new ArrayList<>();
    private final PageQueue<Read> handover = new PageQueue<>(this::hasRoom);
    private int unread;

    /** What was read and not returned yet. */
    private final Deque<Document> ready = new ArrayDeque<>();

    private long readyBytes;

    /** Bytes of the pages that were returned last: they may still be on their way to Elasticsearch. */
    private final Deque<Long> underWay = new ArrayDeque<>();

    private boolean isClosed;

    private ElasticScan(Elastic elastic, Slice.Reading reading, Manner manner) {
        this.elastic = elastic;
        this.reading = reading;
        this.manner = manner;
    }

    static ElasticScan open(Elastic elastic, Slice.Reading reading, Manner manner) {
        String index = reading.namespace().index();
        Elastic.Answer answer = elastic.post(
                "/" + index + "/_pit?keep_alive=" + Slice.KEEP_ALIVE + "&allow_partial_search_results=false");
        if (!answer.isOk()) {
            throw new NoAnswerException("no point in time of " + index + ": " + answer.json(), null);
        }
        ElasticScan scan = new ElasticScan(elastic, reading, manner);
        scan.begin(Json.field(answer.json(), "id").asText());
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
            while (!isLast && !handover.isClosed()) {
                isLast = readPage(slice);
            }
        } catch (Throwable e) {
            // whoever waits for a page must hear of it, whatever it is
            handover.put(new Read.Failed(e));
        }
    }

    private boolean readPage(Slice slice) {
        HeapShare heap = manner.heap();
        long taken = heap.take(manner.limits().bulkBytes());
        boolean isHandedOver = false;
        try {
            Slice.Page page = slice.next(taken);
            heap.correct(taken, page.bytes());
            taken = page.bytes();
            isHandedOver = handover.put(new Read.Page(page));
            return page.isLast();
        } finally {
            if (!isHandedOver) {
                heap.giveBack(taken);
            }
        }
    }

    /** If documents are large, each thread reads only one page ahead. */
    private boolean hasRoom(Collection<Read> lying) {
        return lying.size() < AHEAD
                && lying.stream().mapToLong(Read::bytes).sum() < manner.limits().bulkBytes();
    }

    /** Waits for documents only if none is ready. The last pages are smaller, so that the last bulks end at about the same time. */
    @Override
    public List<Document> nextPage() {
        if (underWay.size() == ElasticMoveStream.SIDE_BY_SIDE) {
            manner.heap().giveBack(underWay.removeFirst());
        }
        while (unread > 0 && ready.isEmpty()) {
            elastic.asking();
            add(handover.take());
        }
        while (unread > 0 && readyBytes < manner.limits().pageBytes()) {
            Optional<Read> more = handover.takeIf(Read.Page.class::isInstance);
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

    /** Elasticsearch closes a point in time by itself after its keep-alive, so a failure is only logged. */
    @Override
    public void close() {
        if (isClosed) {
            return;
        }
        isClosed = true;
        underWay.forEach(manner.heap()::giveBack);
        manner.heap().giveBack(readyBytes);
        ready.clear();
        for (Read left : handover.close()) {
            manner.heap().giveBack(left.bytes());
        }
        manner.ending().execute(this::closePointInTime);
    }

    private void closePointInTime() {
        try {
            elastic.delete(
                    "/_pit",
                    Json.MAPPER.valueToTree(Map.of("id", slices.getFirst().pitId())));
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
