package org.treerename.elastic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.groups.Tuple.tuple;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.treerename.runtime.BlockedCall;
import org.treerename.store.NoAnswerException;
import org.treerename.store.RefusedException;
import org.treerename.store.Version;
import org.treerename.tree.Document;
import org.treerename.tree.MoveStream;
import org.treerename.tree.MoveStream.MoveResult;
import org.treerename.tree.RawJson;
import org.treerename.tree.TreeStore.Move;
import org.treerename.tree.TreeStore.Written;

/**
 * Tests {@link ElasticMoveStream} with bulks of one document each. A bulk ends when the test completes the answer to
 * this bulk.
 */
@Timeout(60)
class ElasticMoveStreamTest {

    private static final int BYTES = 1_000;

    /** The answer to each bulk, by the id of the document in this bulk. */
    private final Map<String, CompletableFuture<Written>> answers = new ConcurrentHashMap<>();

    private final AtomicInteger asked = new AtomicInteger();
    private final StubNode node = StubNode.answering(request -> new StubNode.Answer(200, "{}"));
    private final Elastic elastic = Elastic.connect(Elastic.Settings.of(node.url(), Duration.ofSeconds(10)));

    @AfterEach
    void stop() {
        elastic.close();
        node.close();
    }

    private MoveStream stream(long mostBytes) {
        return new ElasticMoveStream(
                moves -> moves.stream().map(move -> answer(name(move))).toList(),
                asked::incrementAndGet,
                mostBytes,
                new EarlyRefresh(elastic, "files-1", Runnable::run));
    }

    private static String name(Move move) {
        return move.document().ref().id();
    }

    private Written answer(String name) {
        try {
            return answerTo(name).join();
        } catch (CompletionException e) {
            throw (RuntimeException) e.getCause();
        }
    }

    private CompletableFuture<Written> answerTo(String name) {
        return answers.computeIfAbsent(name, n -> new CompletableFuture<>());
    }

    private static List<Move> bulk(String name) {
        return List.of(new Move(
                new Document(
                        new Document.Ref("files-1", name, null, new Version(1, 1)),
                        "/a/" + name,
                        RawJson.of("{\"path\":\"/a/" + name + "\",\"text\":\"" + "x".repeat(BYTES) + "\"}")),
                "/b/" + name));
    }

    private static List<String> names(List<MoveResult> results) {
        return results.stream().map(result -> name(result.moves().getFirst())).toList();
    }

    @Test
    void sends_two_bulks_without_an_answer_and_waits_with_the_third() {
        MoveStream stream = stream(Long.MAX_VALUE);
        assertThat(stream.send(bulk("1"))).isEmpty();
        assertThat(stream.send(bulk("2"))).isEmpty();
        CompletableFuture<List<MoveResult>> third = BlockedCall.of(() -> stream.send(bulk("3")));
        assertThat(third).isNotDone();

        answerTo("2").complete(new Written.Done());

        assertThat(names(third.join())).containsExactly("2");
        answerTo("1").complete(new Written.Done());
        answerTo("3").complete(new Written.Done());
        assertThat(names(stream.finish())).containsExactly("1", "3");
        assertThat(asked.get()).isPositive();
    }

    @Test
    void has_no_more_bytes_in_progress_than_one_bulk_may_have() {
        MoveStream stream = stream(BYTES);
        assertThat(stream.send(bulk("1")))
                .as("a single bulk may have more bytes")
                .isEmpty();

        CompletableFuture<List<MoveResult>> second = BlockedCall.of(() -> stream.send(bulk("2")));
        assertThat(second).isNotDone();
        assertThat(answers).doesNotContainKey("2");
        answerTo("1").complete(new Written.Done());

        assertThat(names(second.join())).containsExactly("1");
    }

    @Test
    void returns_answered_results_although_another_bulk_got_no_answer_or_was_refused() {
        MoveStream stream = stream(Long.MAX_VALUE);
        answerTo("1").complete(new Written.Done());
        answerTo("2").completeExceptionally(new NoAnswerException("silent", null));
        answerTo("3").completeExceptionally(new RefusedException("too large"));
        List<MoveResult> results = new ArrayList<>(stream.send(bulk("1")));
        results.addAll(stream.send(bulk("3")));
        results.addAll(stream.send(bulk("2")));
        results.addAll(stream.finish());

        assertThat(results)
                .extracting(result -> result.written().getFirst(), result -> result.silence() != null)
                .containsExactlyInAnyOrder(
                        tuple(new Written.Done(), false),
                        tuple(new Written.Refused("too large"), false),
                        tuple(new Written.Unknown("silent"), true));
    }

    @Test
    void sends_nothing_after_a_bulk_without_an_answer() {
        MoveStream stream = stream(Long.MAX_VALUE);
        answerTo("1").completeExceptionally(new NoAnswerException("silent", null));
        List<MoveResult> first = new ArrayList<>(stream.send(bulk("1")));
        first.addAll(stream.finish());

        List<MoveResult> second = stream.send(bulk("2"));

        assertThat(first).extracting(result -> result.silence() != null).containsExactly(true);
        assertThat(second).extracting(result -> result.silence() != null).containsExactly(true);
        assertThat(answers).doesNotContainKey("2");
    }

    @Test
    void an_unexpected_failure_loses_no_result_that_arrived_before_the_end() {
        MoveStream stream = stream(Long.MAX_VALUE);
        answerTo("1").completeExceptionally(new IllegalStateException("a bug"));
        answerTo("2").complete(new Written.Done());
        answerTo("3").complete(new Written.Done());
        List<MoveResult> results = new ArrayList<>(stream.send(bulk("2")));
        results.addAll(stream.send(bulk("1")));
        Awaitility.await().atMost(Duration.ofMinutes(2)).until(() -> {
            results.addAll(stream.send(bulk("3")));
            return names(results).contains("2");
        });

        assertThatThrownBy(stream::finish).hasMessage("a bug");
    }

    @Test
    void throws_an_unexpected_failure_when_no_bulk_is_in_progress() {
        MoveStream stream = stream(Long.MAX_VALUE);
        stream.send(bulk("1"));
        answerTo("2").completeExceptionally(new IllegalStateException("a bug"));
        CompletableFuture<List<MoveResult>> finished = BlockedCall.of(() -> {
            stream.send(bulk("2"));
            return stream.finish();
        });
        assertThat(finished).isNotDone();

        answerTo("1").complete(new Written.Done());

        assertThatThrownBy(finished::join).hasRootCauseMessage("a bug");
    }

    @Test
    void reports_a_failed_bulk_as_soon_as_its_result_has_arrived() {
        MoveStream stream = stream(Long.MAX_VALUE);
        stream.send(bulk("1"));
        assertThat(stream.hasFailed()).isFalse();
        answerTo("1").completeExceptionally(new IllegalStateException("a bug"));

        Awaitility.await().atMost(Duration.ofMinutes(2)).until(() -> {
            stream.send(List.of());
            return stream.hasFailed();
        });
    }

    @Test
    void close_waits_for_bulks_in_progress() {
        MoveStream stream = stream(Long.MAX_VALUE);
        stream.send(bulk("1"));
        CompletableFuture<Boolean> closed = BlockedCall.of(() -> {
            stream.close();
            return true;
        });
        assertThat(closed).isNotDone();

        answerTo("1").complete(new Written.Done());

        assertThat(closed.join()).isTrue();
    }

    /** No early refresh is necessary for moves that were refused or whose result is unknown. */
    @Test
    void counts_only_documents_that_have_moved_for_an_early_refresh() {
        List<Runnable> refreshes = new ArrayList<>();
        EarlyRefresh refresh = new EarlyRefresh(elastic, "files-1", refreshes::add);
        for (Written written : List.of(new Written.Unknown("conflict"), new Written.Refused("too large"))) {
            ElasticMoveStream stream = new ElasticMoveStream(
                    moves -> Collections.nCopies(moves.size(), written), () -> {}, Long.MAX_VALUE, refresh);
            stream.send(Collections.nCopies(EarlyRefresh.EVERY, bulk("1").getFirst()));
            stream.finish();
        }
        assertThat(refreshes).isEmpty();

        ElasticMoveStream stream = new ElasticMoveStream(
                moves -> Collections.nCopies(moves.size(), new Written.Done()), () -> {}, Long.MAX_VALUE, refresh);
        stream.send(Collections.nCopies(EarlyRefresh.EVERY, bulk("1").getFirst()));
        stream.finish();

        assertThat(refreshes).hasSize(1);
    }
}
