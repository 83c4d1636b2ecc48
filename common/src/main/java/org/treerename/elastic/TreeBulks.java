package org.treerename.elastic;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.treerename.namespace.Namespace;
import org.treerename.store.NoAnswerException;
import org.treerename.tree.PathFields;
import org.treerename.tree.RawJson;
import org.treerename.tree.TreeStore.Move;
import org.treerename.tree.TreeStore.Removal;
import org.treerename.tree.TreeStore.Written;

/**
 * Writes and deletes documents of trees. Small bulks that several threads send at the same time share one request. The
 * default ingest pipelines of an index do not run.
 */
final class TreeBulks {

    static final String BULK = "/_bulk?pipeline=_none&filter_path=items.*.status,items.*.error";

    private static final int GROUPS_UNDER_WAY = 2;

    /** The maximum number of bytes of a bulk that shares a request. A larger bulk is sent alone. */
    private static final int SMALL_BYTES = 64 * 1024;

    private final Elastic elastic;
    private final GroupCommit<Bulk, List<Bulk.Item>> groups;

    TreeBulks(Elastic elastic, int bulkBytes) {
        this.elastic = elastic;
        this.groups = new GroupCommit<>(
                new GroupCommit.Limits<>(GROUPS_UNDER_WAY, bulkBytes, Bulk::bytes),
                elastic::asking,
                group -> Bulk.send(group, elastic, BULK));
    }

    /** Writes new paths into documents. Returns one result for each document, in the same order. */
    List<Written> move(Namespace namespace, List<Move> moves) {
        List<Written> results = new ArrayList<>(moves.size());
        Bulk bulk = new Bulk();
        List<Integer> places = new ArrayList<>();
        for (Move move : moves) {
            Optional<RawJson> rewritten = PathFields.moved(namespace, move);
            if (rewritten.isEmpty()) {
                results.add(new Written.Refused(PathFields.NOT_ONE_PATH));
                continue;
            }
            places.add(results.size());
            results.add(new Written.Unknown("not sent"));
            bulk.index(move.document().ref(), move.condition(), rewritten.get().bytes());
        }
        send(bulk, places, results);
        return results;
    }

    /** Deletes documents. Returns one result for each document, in the same order. */
    List<Written> remove(List<Removal> removals) {
        List<Written> results = new ArrayList<>();
        List<Integer> places = new ArrayList<>();
        Bulk bulk = new Bulk();
        for (Removal removal : removals) {
            places.add(results.size());
            results.add(new Written.Unknown("not sent"));
            bulk.delete(removal.ref(), removal.condition());
        }
        send(bulk, places, results);
        return results;
    }

    private void send(Bulk bulk, List<Integer> places, List<Written> results) {
        if (bulk.items() == 0) {
            return;
        }
        List<Bulk.Item> items = bulk.bytes() > SMALL_BYTES ? bulk.send(elastic, BULK) : groups.ask(bulk);
        // throw only if an index block stopped all items; otherwise the caller needs the result of each item
        if (items.stream().allMatch(item -> item.isBlocked() && AnswerStatus.isTransient(item.status()))) {
            throw new NoAnswerException(
                    "no document can be written: " + items.getFirst().reason(), null);
        }
        for (int i = 0; i < items.size(); i++) {
            results.set(places.get(i), written(items.get(i)));
        }
    }

    /** With status 404, a delete whose document is missing is done, and a write to a missing index is refused. */
    private static Written written(Bulk.Item item) {
        if (item.isOk()) {
            return new Written.Done();
        }
        if (item.status() == 409 || AnswerStatus.isTransient(item.status())) {
            return new Written.Unknown(item.reason(), item.status() == 409);
        }
        boolean isMissing = item.status() == 404 && item.json().path("error").isMissingNode();
        return isMissing ? new Written.Done() : new Written.Refused(item.reason());
    }
}
