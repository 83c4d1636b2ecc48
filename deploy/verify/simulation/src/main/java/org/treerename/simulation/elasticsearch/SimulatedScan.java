package org.treerename.simulation.elasticsearch;

import java.util.ArrayList;
import java.util.List;
import org.treerename.store.NoAnswerException;
import org.treerename.tree.Document;
import org.treerename.tree.TreeStore.Scan;

/**
 * Reads the documents of a point in time, page by page and shard by shard. In a strict scan, a page fails if a shard
 * does not answer.
 */
final class SimulatedScan implements Scan {

    private final Wire wire;
    private final PointInTime pit;
    private final SimulatedTreeStore.Reading reading;
    private int shard;
    private String after = "";

    SimulatedScan(Wire wire, PointInTime pit, SimulatedTreeStore.Reading reading) {
        this.wire = wire;
        this.pit = pit;
        this.reading = reading;
    }

    /** The documents of one page, and the shard and the document id after which the next page begins. */
    private record Page(List<Document> documents, int shard, String after) {}

    @Override
    public List<Document> nextPage() {
        int fromShard = shard;
        String fromAfter = after;
        List<Request.Item> items = new ArrayList<>();
        for (int i = 0; i < pit.shards(); i++) {
            int part = i;
            Request.Item read =
                    view -> part < fromShard ? List.of() : matching(view, part, part == fromShard ? fromAfter : "");
            items.add(reading.isStrict() ? read : orNothing(read));
        }
        Page page = wire.ask(new Request<>(() -> "reads a page of " + reading.what(), items, this::page, true));
        shard = page.shard();
        after = page.after();
        return page.documents();
    }

    private static Request.Item orNothing(Request.Item read) {
        Request.Item lax = view -> {
            try {
                return read.apply(view);
            } catch (NoAnswerException e) {
                return List.of();
            }
        };
        return lax.orElse(List.of());
    }

    private List<Document> matching(View view, int part, String fromAfter) {
        String index = pit.shard(part).index();
        List<Document> found = new ArrayList<>();
        view.found(pit.shard(part), pit.visible(view, part), reading::matches);
        pit.visible(view, part).tailMap(fromAfter).forEach((key, stored) -> {
            TreeDocument document = (TreeDocument) stored.value();
            if (found.size() <= reading.pageSize() && !key.equals(fromAfter) && reading.matches(document)) {
                found.add(reading.document(index, key, stored));
            }
        });
        return found;
    }

    @SuppressWarnings("unchecked")
    private Page page(List<?> results) {
        List<Document> documents = new ArrayList<>();
        int nextShard = shard;
        String nextAfter = after;
        for (int part = 0; part < results.size(); part++) {
            for (Document document : (List<Document>) results.get(part)) {
                if (documents.size() < reading.pageSize()) {
                    documents.add(document);
                    nextShard = part;
                    nextAfter = document.ref().id();
                }
            }
        }
        return new Page(List.copyOf(documents), nextShard, nextAfter);
    }

    @Override
    public void close() {
        pit.close();
    }
}
