package org.treerename.elastic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.treerename.namespace.Namespace;
import org.treerename.store.RefusedException;

/** Tests that all threads that read the indices of a namespace at the same moment share the requests. */
class TreeIndicesTest {

    private static final Namespace FILES = Namespace.ofFiles("files", GoodNode.INDEX);
    private static final String NO_INDEX = "{\"error\":{\"type\":\"index_not_found_exception\"}}";

    private final AtomicInteger asked = new AtomicInteger();
    private final CountDownLatch firstBegan = new CountDownLatch(1);
    private final CountDownLatch firstMayEnd = new CountDownLatch(1);
    private final StubNode node = StubNode.answering(this::answer);
    private final Elastic elastic = Elastic.connect(Elastic.Settings.of(node.url(), Duration.ofSeconds(30)));
    private final ElasticTreeStore tree = new ElasticTreeStore(elastic, ElasticTreeStore.Limits.DEFAULT);

    @AfterEach
    void stop() {
        elastic.close();
        node.close();
    }

    private StubNode.Answer answer(StubNode.Request request) {
        asked.incrementAndGet();
        firstBegan.countDown();
        await(firstMayEnd);
        return new StubNode.Answer(404, NO_INDEX);
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(2, TimeUnit.MINUTES)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** Reads the indices in a separate thread, and returns when the thread waits. */
    private CompletableFuture<Map<String, String>> reading() {
        CompletableFuture<Map<String, String>> answer = new CompletableFuture<>();
        Thread thread = Thread.ofPlatform().start(() -> {
            try {
                answer.complete(tree.indices(FILES));
            } catch (RuntimeException e) {
                answer.completeExceptionally(e);
            }
        });
        while (thread.getState() != Thread.State.WAITING) {
            Thread.onSpinWait();
        }
        return answer;
    }

    @Test
    void a_refusal_answers_all_threads_of_a_group() {
        CompletableFuture<Map<String, String>> first = reading();
        await(firstBegan);
        List<CompletableFuture<Map<String, String>>> group =
                Stream.generate(this::reading).limit(20).toList();
        firstMayEnd.countDown();

        Stream.concat(Stream.of(first), group.stream())
                .forEach(answer -> assertThatThrownBy(answer::join)
                        .hasCauseInstanceOf(RefusedException.class)
                        .hasMessageContaining("there is no index or alias files-1"));
        assertThat(asked).as("requests of the first thread and of the group").hasValue(2);
    }
}
