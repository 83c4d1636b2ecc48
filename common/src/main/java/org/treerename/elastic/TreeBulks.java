package org.treerename.elastic;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import org.treerename.path.Namespace;
import org.treerename.rename.Document;
import org.treerename.rename.PathFields;
import org.treerename.rename.RawJson;
import org.treerename.rename.TreeStore.Move;
import org.treerename.rename.TreeStore.Written;
import org.treerename.store.NoAnswerException;

/**
 * Writes of documents of trees. What is little goes with what others write at the same moment, what is much in several bulks
 * side by side. The ingest pipelines that an index has by default do not run. Any thread may call it.
 */
final class TreeBulks {

    private static final String BULK = "/_bulk?pipeline=_none&filter_path=items.*.status,items.*.error";

    private static final int GROUPS_UNDER_WAY = 2;

    /** Of a bulk that goes with others; a larger one goes alone. */
    private static final int SMALL_BYTES = 64 * 1024;

    /** Into how many bulks one page is parted, where it is large enough. */
    private static final int SIDE_BY_SIDE = 2;

    private static final long PART_BYTES = 256 * 1024;
    private static final Executor THREADS =
            task -> Thread.ofVirtual().name("tree-bulk").start(task);

    private final Elastic elastic;
    private final int bulkBytes;
    private final Groups<Bulk, List<Bulk.Item>> groups;

    TreeBulks(Elastic elastic, int bulkBytes) {
        this.elastic = elastic;
        this.bulkBytes = bulkBytes;
        this.groups = new Groups<>(
                new Groups.Limits<>(GROUPS_UNDER_WAY, bulkBytes, Bulk::bytes),
                elastic::asking,
                group -> Bulk.send(group, elastic, BULK));
    }

    /**
     * Writes new paths into documents; an answer for each, in order.
     *
     * @throws NoAnswerException if one of the bulks got none; none is under way any more then
     */
    List<Written> move(Namespace namespace, List<Move> moves) {
        List<CompletableFuture<List<Written>>> others = new ArrayList<>();
        List<List<Move>> parts = parts(moves);
        for (List<Move> part : parts.subList(0, parts.size() - 1)) {
            others.add(CompletableFuture.supplyAsync(() -> moveTogether(namespace, part), THREADS));
        }
        CompletableFuture<List<Written>> last =
                CompletableFuture.completedFuture(parts.getLast()).thenApply(part -> moveTogether(namespace, part));
        others.add(last);
        return joined(others);
    }

    private static List<Written> joined(List<CompletableFuture<List<Written>>> parts) {
        List<Written> answers = new ArrayList<>();
        RuntimeException failure = null;
        for (CompletableFuture<List<Written>> part : parts) {
            try {
                answers.addAll(part.join());
            } catch (CompletionException e) {
                RuntimeException own = e.getCause() instanceof RuntimeException cause ? cause : e;
                failure = failure == null || own instanceof NoAnswerException ? own : failure;
            }
        }
        if (failure != null) {
            throw failure;
        }
        return answers;
    }

    /** Parts of about the same size, none of them larger than a bulk may be unless it is one document. */
    private List<List<Move>> parts(List<Move> moves) {
        long all = moves.stream().mapToLong(TreeBulks::bytes).sum();
        long wanted = Math.min(bulkBytes, Math.max(PART_BYTES, all / SIDE_BY_SIDE + 1));
        List<List<Move>> parts = new ArrayList<>();
        List<Move> part = new ArrayList<>();
        long bytes = 0;
        for (Move move : moves) {
            if (!part.isEmpty() && bytes + bytes(move) > wanted) {
                parts.add(part);
                part = new ArrayList<>();
                bytes = 0;
            }
            part.add(move);
            bytes += bytes(move);
        }
        parts.add(part);
        return parts;
    }

    private static long bytes(Move move) {
        return move.document().source().bytes().length;
    }

    private List<Written> moveTogether(Namespace namespace, List<Move> moves) {
        List<Written> answers = new ArrayList<>(moves.size());
        Bulk bulk = new Bulk();
        List<Integer> places = new ArrayList<>();
        for (Move move : moves) {
            Optional<RawJson> rewritten = PathFields.rewritten(
                    move.document().source(), namespace.pathField(), namespace.pathFields(move.to()));
            if (rewritten.isEmpty()) {
                answers.add(new Written.Refused("its path field is not one string of its source"));
                continue;
            }
            places.add(answers.size());
            answers.add(new Written.Unknown("not sent"));
            bulk.index(move.document().ref(), rewritten.get().bytes());
        }
        send(bulk, places, answers);
        return answers;
    }

    /** Deletes documents; an answer for each, in order. */
    List<Written> remove(List<Document.Ref> refs) {
        List<Written> answers = new ArrayList<>();
        List<Integer> places = new ArrayList<>();
        Bulk bulk = new Bulk();
        for (Document.Ref ref : refs) {
            places.add(answers.size());
            answers.add(new Written.Unknown("not sent"));
            bulk.delete(ref);
        }
        send(bulk, places, answers);
        return answers;
    }

    private void send(Bulk bulk, List<Integer> places, List<Written> answers) {
        if (bulk.items() == 0) {
            return;
        }
        List<Bulk.Item> items = bulk.bytes() > SMALL_BYTES ? bulk.send(elastic, BULK) : groups.ask(bulk);
        // of some taken and some not the answers tell more
        if (items.stream().allMatch(item -> item.isBlocked() && Elastic.isTransient(item.status()))) {
            throw new NoAnswerException(
                    "no document can be written: " + items.getFirst().reason(), null);
        }
        for (int i = 0; i < items.size(); i++) {
            answers.set(places.get(i), written(items.get(i)));
        }
    }

    /** 404 is the answer to the delete of a document that is gone, or to a write into an index that is. */
    private static Written written(Bulk.Item item) {
        if (item.isOk()) {
            return new Written.Done();
        }
        if (item.status() == 409 || Elastic.isTransient(item.status())) {
            return new Written.Unknown(item.reason());
        }
        boolean gone = item.status() == 404 && item.json().path("error").isMissingNode();
        return gone ? new Written.Done() : new Written.Refused(item.reason());
    }
}
