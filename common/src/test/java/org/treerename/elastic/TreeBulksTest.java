package org.treerename.elastic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.treerename.path.Namespace;
import org.treerename.rename.Document;
import org.treerename.rename.RawJson;
import org.treerename.rename.TreeStore.Move;
import org.treerename.rename.TreeStore.Written;
import org.treerename.store.NoAnswerException;
import org.treerename.store.RefusedException;
import org.treerename.store.Version;

/**
 * Of a page that leaves in two bulks, against a server that answers each as its documents say. Their names are of one length,
 * so that each bulk has two of them.
 */
@Timeout(60)
class TreeBulksTest {

    private static final String TEXT = "x".repeat(150 * 1024);

    private final StubNode node = StubNode.answering(this::answer);
    private final Elastic elastic = Elastic.connect(Elastic.Settings.of(node.url(), Duration.ofSeconds(10)));
    private final TreeBulks bulks = new TreeBulks(elastic, 4 * 1024 * 1024);

    /** Comes down when a bulk has arrived that is answered only once {@link #mayAnswer} is down. */
    private final CountDownLatch hasArrived = new CountDownLatch(1);

    private final CountDownLatch mayAnswer = new CountDownLatch(1);

    /** The bulks that have arrived. */
    private final Queue<String> arrived = new ConcurrentLinkedQueue<>();

    @AfterEach
    void stop() {
        elastic.close();
        node.close();
    }

    private StubNode.Answer answer(StubNode.Request request) {
        String body = request.body();
        arrived.add(body);
        if (body.contains("late")) {
            hasArrived.countDown();
            await(mayAnswer);
        }
        int status = body.contains("silent") ? 502 : body.contains("refuse") ? 413 : 200;
        return new StubNode.Answer(
                status,
                body.lines()
                        .filter(line -> line.startsWith("{\"index\""))
                        .map(line -> "{\"index\":{\"status\":200}}")
                        .collect(Collectors.joining(",", "{\"items\":[", "]}")));
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private List<Written> move(String... names) {
        return move(bulks, names);
    }

    private static List<Written> move(TreeBulks bulks, String... names) {
        return bulks.move(
                Namespace.ofFiles("files", "files-1"),
                IntStream.range(0, names.length)
                        .mapToObj(i -> new Move(
                                new Document(
                                        new Document.Ref("files-1", "d" + i, null, new Version(i, 1)),
                                        "/a/" + names[i],
                                        RawJson.of((names[i].equals("no json") ? "{{" : "{")
                                                + "\"path\":\"/a/%s\",\"text\":\"%s\"}".formatted(names[i], TEXT))),
                                "/b/" + names[i]))
                        .toList());
    }

    @Test
    void what_was_answered_counts_though_the_other_bulk_got_no_answer() {
        assertThat(move("1-okay", "2-okay", "silent", "4-okay"))
                .<Class<?>>extracting(Object::getClass)
                .containsExactly(Written.Done.class, Written.Done.class, Written.Unknown.class, Written.Unknown.class);
    }

    @Test
    void what_was_answered_counts_though_the_other_bulk_was_refused() {
        assertThat(move("refuse", "2-okay", "3-okay", "4-okay"))
                .<Class<?>>extracting(Object::getClass)
                .containsExactly(Written.Refused.class, Written.Refused.class, Written.Done.class, Written.Done.class);
    }

    @Test
    void nothing_is_told_where_no_bulk_was_answered() {
        assertThatThrownBy(() -> move("silent", "2-okay", "3-okay", "silent")).isInstanceOf(NoAnswerException.class);
        assertThatThrownBy(() -> move("refuse", "2-okay", "3-okay", "refuse")).isInstanceOf(RefusedException.class);
        assertThatThrownBy(() -> move("silent")).isInstanceOf(NoAnswerException.class);
        assertThatThrownBy(() -> move("silent", "2-okay", "3-okay", "refuse")).isInstanceOf(NoAnswerException.class);
    }

    @Test
    void does_not_send_what_would_get_no_answer_either() throws InterruptedException {
        TreeBulks twoEach = new TreeBulks(elastic, 2 * TEXT.length() + 1_000);
        CompletableFuture<List<Written>> moved = new CompletableFuture<>();
        Thread moving = Thread.ofPlatform()
                .start(() -> moved.complete(move(
                        twoEach, "silent", "2-okay", "3-late", "4-okay", "5-late", "6-okay", "7-okay", "8-okay",
                        "9-okay")));
        await(hasArrived);
        awaitThatItWaitsIn(CompletableFuture.class, moving);

        mayAnswer.countDown();

        List<Written> written = moved.join();
        assertThat(arrived).hasSize(3).noneMatch(body -> body.contains("7-okay") || body.contains("9-okay"));
        assertThat(written.subList(2, 6)).containsOnly(new Written.Done());
        assertThat(written.subList(6, 9))
                .hasSize(3)
                .allSatisfy(answer -> assertThat(answer).isInstanceOf(Written.Unknown.class));
    }

    /** Returns when the thread is blocked in a call of that class: it sends nothing until a bulk is answered. */
    private static void awaitThatItWaitsIn(Class<?> type, Thread moving) {
        while (moving.getState() != Thread.State.WAITING
                || Stream.of(moving.getStackTrace())
                        .noneMatch(frame -> frame.getClassName().equals(type.getName()))) {
            assertThat(moving.isAlive() && !Thread.currentThread().isInterrupted())
                    .as("the thread waits in %s", type.getSimpleName())
                    .isTrue();
            Thread.onSpinWait();
        }
    }

    @Test
    void has_three_bulks_under_way_at_most() throws InterruptedException {
        AtomicInteger sent = new AtomicInteger();
        CountDownLatch three = new CountDownLatch(3);
        try (Elastic counted = Elastic.connect(Elastic.Settings.of(node.url(), Duration.ofSeconds(30)), request -> {
            sent.incrementAndGet();
            three.countDown();
            return status -> {};
        })) {
            TreeBulks oneEach = new TreeBulks(counted, TEXT.length());
            Thread moving = Thread.ofPlatform().start(() -> {
                var unused = move(oneEach, "1-late", "2-late", "3-late", "4-okay");
            });
            await(three);
            awaitThatItWaitsIn(Semaphore.class, moving);
            int atOnce = sent.get();

            mayAnswer.countDown();

            moving.join();
            assertThat(atOnce).isEqualTo(3);
            assertThat(sent).hasValue(4);
        }
    }

    @Test
    void throws_an_unexpected_failure_when_no_bulk_is_under_way_any_more() throws InterruptedException {
        TreeBulks threeAtOnce = new TreeBulks(elastic, 2 * TEXT.length() + 1_000);
        AtomicReference<@Nullable RuntimeException> failure = new AtomicReference<>();
        Thread moving = Thread.ofPlatform().start(() -> {
            try {
                var unused = move(threeAtOnce, "no json", "2-okay", "late", "4-okay", "5-okay", "6-okay");
            } catch (RuntimeException e) {
                failure.set(e);
            }
        });
        await(hasArrived);
        awaitThatItWaitsIn(CompletableFuture.class, moving);

        mayAnswer.countDown();

        moving.join();
        assertThat(failure.get()).isInstanceOf(RuntimeException.class);
    }
}
