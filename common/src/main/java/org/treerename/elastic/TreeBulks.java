package org.treerename.elastic;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;
import org.treerename.path.Namespace;
import org.treerename.rename.PathFields;
import org.treerename.rename.RawJson;
import org.treerename.rename.TreeStore.Move;
import org.treerename.rename.TreeStore.Removal;
import org.treerename.rename.TreeStore.Written;
import org.treerename.store.NoAnswerException;
import org.treerename.store.RefusedException;

/**
 * Writes of documents of trees. What is little goes with what others write at the same moment, what is much in several bulks
 * side by side. The ingest pipelines that an index has by default do not run. Any thread may call it.
 */
final class TreeBulks {

    private static final String BULK = "/_bulk?pipeline=_none&filter_path=items.*.status,items.*.error";

    private static final int GROUPS_UNDER_WAY = 2;

    /** Of a bulk that goes with others; a larger one goes alone. */
    private static final int SMALL_BYTES = 64 * 1024;

    /** How many bulks of one page are under way at once, where it is large enough. */
    private static final int SIDE_BY_SIDE = 3;

    /** Of a bulk: what is worth one of its own, and what is better parted further. */
    private static final long LEAST_BYTES = 256 * 1024;

    private static final long ENOUGH_BYTES = 3 * LEAST_BYTES;
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
     * Writes new paths into documents; an answer for each, in order. Where one of several bulks gets no answer, or is refused,
     * its documents alone are told to be unknown, or refused.
     *
     * @throws RuntimeException as the bulks ended, if none was answered or one of them ended as none should; none is under
     *     way any more
     */
    List<Written> move(Namespace namespace, List<Move> moves) {
        List<List<Move>> parts = parts(moves);
        List<CompletableFuture<List<Written>>> sent = new ArrayList<>();
        Semaphore free = new Semaphore(SIDE_BY_SIDE);
        for (List<Move> part : parts.subList(0, parts.size() - 1)) {
            free.acquireUninterruptibly();
            CompletableFuture<List<Written>> one = begun(sent, () -> moveTogether(namespace, part), THREADS);
            sent.add(one);
            var unused = one.whenComplete((done, failure) -> free.release());
        }
        free.acquireUninterruptibly();
        sent.add(begun(sent, () -> moveTogether(namespace, parts.getLast()), Runnable::run));
        CompletableFuture.allOf(sent.toArray(CompletableFuture[]::new))
                .exceptionally(failure -> null)
                .join();
        List<Written> answers = new ArrayList<>();
        RuntimeException failure = null;
        int failed = 0;
        for (int i = 0; i < parts.size(); i++) {
            try {
                answers.addAll(sent.get(i).join());
            } catch (CompletionException e) {
                RuntimeException own = e.getCause() instanceof RuntimeException cause ? cause : e;
                answers.addAll(Collections.nCopies(parts.get(i).size(), told(own)));
                failure = failure instanceof NoAnswerException ? failure : own;
                failed++;
            }
        }
        if (failure != null && failed == parts.size()) {
            throw failure;
        }
        return answers;
    }

    /** Where one before got no answer, the next ones would get none. */
    private static <T> CompletableFuture<T> begun(
            List<CompletableFuture<T>> before, Supplier<T> sending, Executor thread) {
        boolean isSilent = before.stream()
                .anyMatch(part -> part.isCompletedExceptionally() && part.exceptionNow() instanceof NoAnswerException);
        return isSilent
                ? CompletableFuture.failedFuture(new NoAnswerException("not sent, as one before got no answer", null))
                : CompletableFuture.supplyAsync(sending, thread);
    }

    /** What a bulk's failure says of each of its documents. */
    private static Written told(RuntimeException failure) {
        return switch (failure) {
            case NoAnswerException silence -> new Written.Unknown(String.valueOf(silence.getMessage()));
            case RefusedException refusal -> new Written.Refused(String.valueOf(refusal.getMessage()));
            default -> throw failure;
        };
    }

    /** Parts of about the same size, none of them larger than a bulk may be unless it is one document. */
    private List<List<Move>> parts(List<Move> moves) {
        long all = moves.stream().mapToLong(TreeBulks::bytes).sum();
        long wanted = Math.clamp((all + 1) / 2, LEAST_BYTES, ENOUGH_BYTES);
        List<List<Move>> parts = new ArrayList<>();
        List<Move> part = new ArrayList<>();
        long bytes = 0;
        for (Move move : moves) {
            boolean isFull = bytes >= wanted || bytes + bytes(move) > bulkBytes;
            if (isFull && !part.isEmpty()) {
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
            Optional<RawJson> rewritten = PathFields.moved(namespace, move);
            if (rewritten.isEmpty()) {
                answers.add(new Written.Refused("its path fields are not there as they should be in its source"));
                continue;
            }
            places.add(answers.size());
            answers.add(new Written.Unknown("not sent"));
            bulk.index(move.document().ref(), move.condition(), rewritten.get().bytes());
        }
        send(bulk, places, answers);
        return answers;
    }

    /** Deletes documents; an answer for each, in order. */
    List<Written> remove(List<Removal> removals) {
        List<Written> answers = new ArrayList<>();
        List<Integer> places = new ArrayList<>();
        Bulk bulk = new Bulk();
        for (Removal removal : removals) {
            places.add(answers.size());
            answers.add(new Written.Unknown("not sent"));
            bulk.delete(removal.ref(), removal.condition());
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
