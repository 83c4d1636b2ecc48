package org.treerename.janitor.console;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.IntNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.treerename.janitor.console.QueryCache.Notice;
import org.treerename.runtime.ManualTime;
import org.treerename.store.NoAnswerException;

@Timeout(30)
final class QueryCacheTest {

    private static final Question NOW = new Question.Now();
    private static final Question LOCKS = new Question.Locks(null, null, null);

    private final ManualTime time = ManualTime.startingAt("2026-03-01T10:00:00Z");
    private final List<Question> read = new ArrayList<>();
    private final List<Question> forgotten = new ArrayList<>();
    private @Nullable RuntimeException failure;

    private final QueryCache cache = new QueryCache(time, new QueryCache.Reader() {
        @Override
        public JsonNode read(Question question) {
            read.add(question);
            if (failure != null) {
                throw failure;
            }
            return IntNode.valueOf(read.size());
        }

        @Override
        public void forget(Question question) {
            forgotten.add(question);
        }
    });

    private Optional<Notice> ask(Question question) {
        try {
            return cache.ask(question, Duration.ZERO);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void reads_a_question_once_for_ten_callers() {
        for (int i = 0; i < 10; i++) {
            assertThat(ask(NOW)).isEmpty();
        }
        cache.poll();

        for (int i = 0; i < 10; i++) {
            assertThat(ask(NOW).orElseThrow().answer()).isEqualTo(IntNode.valueOf(1));
        }
        assertThat(read).containsExactly(NOW);
    }

    @Test
    void reads_a_question_again_after_its_interval_and_not_before() {
        ask(NOW);
        ask(LOCKS);
        cache.poll();
        time.advance(NOW.every().minusMillis(1));
        cache.poll();
        assertThat(read).containsExactly(NOW, LOCKS);

        time.advance(Duration.ofMillis(1));
        cache.poll();

        assertThat(read).containsExactly(NOW, LOCKS, NOW);
        assertThat(ask(NOW).orElseThrow().answer()).isEqualTo(IntNode.valueOf(3));
    }

    @Test
    void reads_nothing_without_callers() {
        cache.poll();
        assertThat(read).isEmpty();
        ask(NOW);
        cache.poll();
        time.advance(QueryCache.KEPT.plusMillis(1));
        read.clear();

        cache.poll();
        time.advance(QueryCache.KEPT);
        cache.poll();

        assertThat(read).isEmpty();
        assertThat(forgotten).containsExactly(NOW);
        assertThat(ask(NOW)).as("the answer of the earlier reading was removed").isEmpty();
    }

    @Test
    void keeps_the_last_answer_with_the_problem_if_there_is_no_new_one() {
        ask(NOW);
        cache.poll();
        Notice before = ask(NOW).orElseThrow();
        failure = new NoAnswerException("not there", null);
        time.advance(NOW.every());
        cache.poll();

        Notice after = ask(NOW).orElseThrow();

        assertThat(after)
                .isEqualTo(new Notice(
                        after.number(), before.at(), before.answer(), "Elasticsearch or Kafka does not answer"));
        assertThat(after.number()).isGreaterThan(before.number());
    }

    @Test
    void hides_the_details_of_a_defect_and_continues() {
        failure = new IllegalStateException("a defect that the test makes");
        ask(NOW);
        cache.poll();

        assertThat(ask(NOW).orElseThrow().problem())
                .doesNotContain("test makes")
                .contains("internal error");
        failure = null;
        time.advance(NOW.every());
        cache.poll();
        assertThat(ask(NOW).orElseThrow().problem()).isNull();
    }

    @Test
    void limits_the_number_of_different_questions() {
        for (int i = 0; i < QueryCache.MOST + 5; i++) {
            ask(new Question.Locks("n" + i, null, null));
        }
        cache.poll();

        assertThat(read).hasSize(QueryCache.MOST);
        assertThat(ask(NOW)).isEmpty();
        time.advance(QueryCache.KEPT.plusMillis(1));
        cache.poll();
        ask(NOW);
        cache.poll();
        assertThat(ask(NOW)).isPresent();
    }

    @Test
    void the_first_caller_waits_for_the_first_reading() {
        CompletableFuture<Optional<Notice>> asked = new CompletableFuture<>();
        Thread.ofVirtual().start(() -> {
            try {
                asked.complete(cache.ask(NOW, Duration.ofMinutes(1)));
            } catch (InterruptedException e) {
                asked.completeExceptionally(e);
            }
        });
        while (!asked.isDone()) {
            cache.poll();
            Thread.onSpinWait();
        }

        assertThat(asked.join().orElseThrow().answer()).isEqualTo(IntNode.valueOf(1));
    }

    @Test
    void does_not_block_a_caller_after_close() throws InterruptedException {
        cache.close();

        assertThat(cache.ask(NOW, Duration.ofMinutes(1))).isEmpty();
    }
}
