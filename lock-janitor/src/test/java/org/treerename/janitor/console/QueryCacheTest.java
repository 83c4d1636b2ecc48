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

    private final QueryCache board = new QueryCache(time, new QueryCache.Reader() {
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
            return board.ask(question, Duration.ZERO);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void whatTenAskIsReadOnceForAll() {
        for (int i = 0; i < 10; i++) {
            assertThat(ask(NOW)).isEmpty();
        }
        board.look();

        for (int i = 0; i < 10; i++) {
            assertThat(ask(NOW).orElseThrow().answer()).isEqualTo(IntNode.valueOf(1));
        }
        assertThat(read).containsExactly(NOW);
    }

    @Test
    void itIsReadAgainAsOftenAsTheQuestionSaysAndNoMoreOften() {
        ask(NOW);
        ask(LOCKS);
        board.look();
        time.advance(NOW.every().minusMillis(1));
        board.look();
        assertThat(read).containsExactly(NOW, LOCKS);

        time.advance(Duration.ofMillis(1));
        board.look();

        assertThat(read).containsExactly(NOW, LOCKS, NOW);
        assertThat(ask(NOW).orElseThrow().answer()).isEqualTo(IntNode.valueOf(3));
    }

    @Test
    void nothingIsReadWhileNobodyAsks() {
        board.look();
        assertThat(read).isEmpty();
        ask(NOW);
        board.look();
        time.advance(QueryCache.KEPT.plusMillis(1));
        read.clear();

        board.look();
        time.advance(QueryCache.KEPT);
        board.look();

        assertThat(read).isEmpty();
        assertThat(forgotten).containsExactly(NOW);
        assertThat(ask(NOW)).as("what was read before is told no more").isEmpty();
    }

    @Test
    void whereThereIsNoAnswerTheOneBeforeStaysAndItIsToldWhy() {
        ask(NOW);
        board.look();
        Notice before = ask(NOW).orElseThrow();
        failure = new NoAnswerException("not there", null);
        time.advance(NOW.every());
        board.look();

        Notice after = ask(NOW).orElseThrow();

        assertThat(after).isEqualTo(new Notice(after.number(), before.at(), before.answer(), "there is no answer now"));
        assertThat(after.number()).isGreaterThan(before.number());
    }

    @Test
    void aDefectIsNotToldToTheBrowserAndEndsNothing() {
        failure = new IllegalStateException("a defect that the test makes");
        ask(NOW);
        board.look();

        assertThat(ask(NOW).orElseThrow().problem())
                .doesNotContain("test makes")
                .contains("defect");
        failure = null;
        time.advance(NOW.every());
        board.look();
        assertThat(ask(NOW).orElseThrow().problem()).isNull();
    }

    @Test
    void onlySoManyDifferentQuestionsAreAskedAtOnce() {
        for (int i = 0; i < QueryCache.MOST + 5; i++) {
            ask(new Question.Locks("n" + i, null, null));
        }
        board.look();

        assertThat(read).hasSize(QueryCache.MOST);
        assertThat(ask(NOW)).isEmpty();
        time.advance(QueryCache.KEPT.plusMillis(1));
        board.look();
        ask(NOW);
        board.look();
        assertThat(ask(NOW)).isPresent();
    }

    @Test
    void whoAsksFirstWaitsForTheFirstReading() {
        CompletableFuture<Optional<Notice>> asked = new CompletableFuture<>();
        Thread.ofVirtual().start(() -> {
            try {
                asked.complete(board.ask(NOW, Duration.ofMinutes(1)));
            } catch (InterruptedException e) {
                asked.completeExceptionally(e);
            }
        });
        while (!asked.isDone()) {
            board.look();
            Thread.onSpinWait();
        }

        assertThat(asked.join().orElseThrow().answer()).isEqualTo(IntNode.valueOf(1));
    }

    @Test
    void whoWaitsIsLetGoWhenItIsClosed() throws InterruptedException {
        board.close();

        assertThat(board.ask(NOW, Duration.ofMinutes(1))).isEmpty();
    }
}
