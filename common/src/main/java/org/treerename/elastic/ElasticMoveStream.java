package org.treerename.elastic;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.treerename.store.NoAnswerException;
import org.treerename.tree.MoveStream;
import org.treerename.tree.TreeStore.Move;
import org.treerename.tree.TreeStore.Written;

/**
 * A stream that moves documents in bulks. A separate thread sends each bulk, and a few bulks are in progress at the
 * same time. The documents in all bulks in progress together do not exceed the byte limit of one bulk. So large
 * documents do not fill the heap. Only one thread calls this class.
 */
final class ElasticMoveStream implements MoveStream {

    /** The maximum number of bulks that are in progress at the same time. */
    static final int SIDE_BY_SIDE = 3;

    /** A bulk that was sent. */
    private record Sent(List<Move> moves, long bytes, CompletableFuture<MoveResult> result) {}

    private final Function<List<Move>, List<Written>> bulk;
    private final Runnable asking;
    private final long mostBytes;
    private final EarlyRefresh refresh;
    private final List<Sent> underWay = new ArrayList<>();
    private @Nullable NoAnswerException silence;
    private @Nullable RuntimeException failure;

    /**
     * @param bulk sends one bulk
     * @param asking called on the thread that uses the stream, before the thread may block
     * @param mostBytes the maximum number of bytes of documents in progress; a single bulk may exceed this maximum
     */
    ElasticMoveStream(Function<List<Move>, List<Written>> bulk, Runnable asking, long mostBytes, EarlyRefresh refresh) {
        this.bulk = bulk;
        this.asking = asking;
        this.mostBytes = mostBytes;
        this.refresh = refresh;
    }

    @Override
    public List<MoveResult> send(List<Move> moves) {
        List<MoveResult> results = ended();
        long more = bytes(moves);
        while (!underWay.isEmpty() && isTooMuch(more)) {
            awaitAny();
            results.addAll(ended());
        }
        if (silence != null) {
            results.add(MoveResult.silent(moves, silence));
        } else if (failure == null) {
            underWay.add(sent(List.copyOf(moves), more));
        }
        while (underWay.size() >= SIDE_BY_SIDE) {
            awaitAny();
            results.addAll(ended());
        }
        return results;
    }

    private Sent sent(List<Move> moves, long bytes) {
        CompletableFuture<MoveResult> result = new CompletableFuture<>();
        Thread.ofVirtual().name("tree-bulk").start(() -> {
            try {
                result.complete(MoveResult.of(moves, () -> bulk.apply(moves)));
            } catch (Throwable e) {
                // the thread that waits for the result must receive every failure
                result.completeExceptionally(e);
            }
        });
        return new Sent(moves, bytes, result);
    }

    private static long bytes(List<Move> moves) {
        return moves.stream()
                .mapToLong(move -> move.document().source().bytes().length)
                .sum();
    }

    private boolean isTooMuch(long more) {
        return underWay.size() >= SIDE_BY_SIDE
                || underWay.stream().mapToLong(Sent::bytes).sum() + more > mostBytes;
    }

    @Override
    public boolean hasFailed() {
        return failure != null;
    }

    @Override
    public List<MoveResult> finish() {
        awaitAll();
        List<MoveResult> results = ended();
        RuntimeException unexpected = failure;
        if (unexpected != null) {
            throw unexpected;
        }
        return results;
    }

    @Override
    public void close() {
        awaitAll();
        underWay.clear();
    }

    private void awaitAny() {
        asking.run();
        CompletableFuture.anyOf(underWay.stream().map(Sent::result).toArray(CompletableFuture[]::new))
                .exceptionally(failure -> null)
                .join();
    }

    private void awaitAll() {
        asking.run();
        CompletableFuture.allOf(underWay.stream().map(Sent::result).toArray(CompletableFuture[]::new))
                .exceptionally(failure -> null)
                .join();
    }

    /** Keeps an unexpected failure until the end, because an exception here would lose other bulks' results. */
    private List<MoveResult> ended() {
        List<MoveResult> results = new ArrayList<>();
        for (Sent sent : List.copyOf(underWay)) {
            if (sent.result().isDone()) {
                underWay.remove(sent);
                resultOf(sent).ifPresent(results::add);
            }
        }
        return results;
    }

    private Optional<MoveResult> resultOf(Sent sent) {
        try {
            MoveResult result = sent.result().join();
            if (result.silence() != null) {
                silence = result.silence();
            }
            refresh.written(result.written().stream()
                    .filter(Written.Done.class::isInstance)
                    .count());
            return Optional.of(result);
        } catch (CompletionException e) {
            RuntimeException unexpected = e.getCause() instanceof RuntimeException cause ? cause : e;
            if (failure == null) {
                failure = unexpected;
            } else {
                failure.addSuppressed(unexpected);
            }
            return Optional.empty();
        }
    }
}
