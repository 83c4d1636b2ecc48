package org.treerename.benchmark;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;

/**
 * Renames a directory without any guarantee, at the full speed of Elasticsearch:
 * <ul>
 *   <li>The rename reads one point in time in slices, page by page.
 *   <li>The rename writes each page as one bulk request of whole documents. Several bulk requests run at the same time.
 *   <li>The rename uses no lock and no sequence number, and scans the source only once. If a request fails, the rename
 *       ends, and some documents stay at the source.
 *   <li>The code of this class is independent of tree rename.
 * </ul>
 */
record ScanAndBulk(Es es, String index, Point point) {

    /**
     * The settings that affect the speed of a rename.
     *
     * @param page the number of documents in a page
     * @param bulks the number of concurrent bulk requests in each slice
     */
    record Point(int page, int slices, int bulks) {

        /** Returns the points that are measured to find the fastest point. */
        static List<Point> grid() {
            List<Point> points = new ArrayList<>();
            for (int page : List.of(1_000, 2_000, 5_000, 10_000)) {
                for (int slices : List.of(1, 2)) {
                    for (int bulks : List.of(1, 2, 4)) {
                        points.add(new Point(page, slices, bulks));
                    }
                }
            }
            return points;
        }

        Point withSlices(int count) {
            return new Point(page, count, bulks);
        }

        /** Returns a text with the page size and the number of bulk requests in each slice. */
        String inEachSlice() {
            return "pages of " + page + " and " + bulks + (bulks == 1 ? " bulk" : " bulks")
                    + " in flight in each slice";
        }

        @Override
        public String toString() {
            return "pages of " + page + ", " + slices + (slices == 1 ? " slice, " : " slices, ") + bulks
                    + (bulks == 1 ? " bulk" : " bulks") + " in flight";
        }
    }

    private static final String SEARCH = """
            {"size": %d, "pit": {"id": "%s", "keep_alive": "5m"}, %s "query": %s, "sort": ["_shard_doc"],
             "track_total_hits": false %s}""";

    /** Renames the directory. Returns the number of written documents. */
    long run(String from, String to) throws Exception {
        String pit =
                es.post(index + "/_pit?keep_alive=5m", "").json().path("id").asText();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Long>> slices = new ArrayList<>();
            for (int i = 0; i < point.slices(); i++) {
                String slice =
                        point.slices() == 1 ? "" : "\"slice\":{\"id\":%d,\"max\":%d},".formatted(i, point.slices());
                slices.add(threads.submit(() -> slice(pit, slice, from, to)));
            }
            long written = 0;
            for (Future<Long> slice : slices) {
                written += slice.get();
            }
            return written;
        } finally {
            es.delete("_pit", "{\"id\":\"%s\"}".formatted(pit)).orThrow();
        }
    }

    private long slice(String pit, String slice, String from, String to) throws Exception {
        UnaryOperator<String> newPath = old -> to + old.substring(from.length());
        Semaphore free = new Semaphore(point.bulks());
        AtomicLong written = new AtomicLong();
        AtomicBoolean failed = new AtomicBoolean();
        String after = "";
        while (true) {
            byte[] page = es.post("_search", SEARCH.formatted(point.page(), pit, slice, Tree.at(from), after))
                    .orThrow()
                    .body();
            Splice splice = Splice.of(page, newPath);
            if (splice.documents() > 0) {
                free.acquire();
                CompletableFuture<Void> bulk = es.bulkAsync(index + "/_bulk?filter_path=errors", splice.lines())
                        .handle((answer, failure) -> {
                            if (failure != null || isRefused(answer)) {
                                failed.set(true);
                            } else {
                                written.addAndGet(splice.documents());
                            }
                            free.release();
                            return null;
                        });
                if (bulk.isCompletedExceptionally() || failed.get()) {
                    throw new IllegalStateException("expected that every bulk request to " + index
                            + " succeeds, but a bulk request failed (" + point + ")");
                }
            }
            if (splice.documents() < point.page()) {
                break;
            }
            after = ", \"search_after\": " + splice.lastSort();
        }
        free.acquire(point.bulks());
        if (failed.get()) {
            throw new IllegalStateException("expected that every bulk request to " + index
                    + " succeeds, but a bulk request failed (" + point + ")");
        }
        return written.get();
    }

    private static boolean isRefused(Es.Answer answer) {
        try {
            JsonNode json = Es.JSON.readTree(answer.body());
            return !answer.isOk() || json.path("errors").asBoolean(true);
        } catch (IOException e) {
            return true;
        }
    }
}
