package org.treerename.elastic;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;
import org.treerename.rename.Document;
import org.treerename.rename.TreeStore.Scan;
import org.treerename.store.NoAnswerException;
import org.treerename.store.RefusedException;

/**
 * A point in time, read in slices, each by a thread that is ahead of whoever writes what was read. All pages show
 * the one moment at which it was opened, so it does not matter when they are read, nor how many of them go as one. One thread calls it.
 */
final class ElasticScan implements Scan {

    /** How many pages may lie ready, where they are small. */
    private static final int AHEAD = 3;

    private static final Logger log = LoggerFactory.getLogger(ElasticScan.class);

    /**
     * How it reads.
     *
     * @param slices how many
     */
    record Manner(ElasticTreeStore.Limits limits, HeapShare heap, int slices) {
        boolean isSliced() {
            return slices > 1;
        }
    }

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
    private final Handover<Read> handover = new Handover<>(this::hasRoom);
    private int unread;

    /** Bytes of the page that was returned last. */
    private long held;

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

    /** Large documents are read ahead by one page of each thread and no more. */
    private boolean hasRoom(Collection<Read> lying) {
        return manner.isSliced()
                && lying.size() < AHEAD
                && lying.stream().mapToLong(Read::bytes).sum() < manner.limits().bulkBytes();
    }

    /** Of what is much, all that lies ready and fits together. */
    @Override
    public List<Document> nextPage() {
        manner.heap().giveBack(held);
        held = 0;
        List<Document> documents = new ArrayList<>();
        while (unread > 0 && documents.isEmpty()) {
            elastic.asking();
            add(handover.take(), documents);
        }
        while (manner.isSliced() && unread > 0) {
            Optional<Read> more = handover.takeIf(next -> fits(next, documents.size()));
            if (more.isEmpty()) {
                return documents;
            }
            add(more.get(), documents);
        }
        if (manner.isSliced() && !documents.isEmpty()) {
            Thread.ofVirtual().name("tree-refresh").start(this::refresh);
        }
        return documents;
    }

    private boolean fits(Read next, int documents) {
        return next instanceof Read.Page(Slice.Page page)
                && documents + page.documents().size() <= manner.limits().documents()
                && held + page.bytes() <= manner.limits().pageBytes();
    }

    private void add(Read read, List<Document> documents) {
        switch (read) {
            case Read.Page(Slice.Page page) -> {
                held += page.bytes();
                unread -= page.isLast() ? 1 : 0;
                documents.addAll(page.documents());
            }
            case Read.Failed(RuntimeException failure) -> throw failure;
            case Read.Failed(Error failure) -> throw failure;
            case Read.Failed(Throwable failure) -> throw new IllegalStateException(failure);
        }
    }

    /** Beside the writes of the last page: then there is less to do for the refresh of the next pass, which waits for it. */
    private void refresh() {
        String index = reading.namespace().index();
        try {
            var unused = elastic.post("/" + index + "/_refresh");
        } catch (RuntimeException e) {
            // nothing depends on it
            log.debug("an early refresh of {} failed: {}", index, e.toString());
        }
    }

    /** Elasticsearch forgets it by itself after its keep-alive, so a failure here is told and no more. */
    @Override
    public void close() {
        manner.heap().giveBack(held);
        held = 0;
        for (Read left : handover.close()) {
            manner.heap().giveBack(left.bytes());
        }
        try {
            elastic.delete(
                    "/_pit",
                    Json.MAPPER.valueToTree(Map.of("id", slices.getFirst().pitId())));
        } catch (NoAnswerException | RefusedException e) {
            boolean told = e instanceof NoAnswerException silence && silence.isTold();
            log.atLevel(told ? Level.DEBUG : Level.WARN)
                    .log(
                            "a point in time of {} was not closed: {}",
                            reading.namespace().index(),
                            e.getMessage());
        }
    }
}
