package org.treerename.janitor.console;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.treerename.runtime.Time;
import org.treerename.store.NoAnswerException;
import org.treerename.store.RefusedException;

/**
 * What was read last, for all who ask. One thread {@linkplain #look reads}: what somebody has asked of late, each question as
 * often as it says. So ten open consoles cost what one costs, and nothing is read while nobody looks. Any thread may ask.
 */
final class QueryCache implements AutoCloseable {

    /** Asked no more for so long, a question is taken down. Longer than the pause of a browser between two questions. */
    static final Duration KEPT = Duration.ofSeconds(10);

    /** Different questions at once. */
    static final int MOST = 64;

    /** Reads what is asked; one thread calls it. */
    interface Reader {

        /**
         * The answer.
         *
         * @throws NoAnswerException if there is none now
         * @throws IllegalArgumentException that tells what is wrong with the question
         */
        JsonNode read(Question question);

        /** It is asked no more. */
        default void forget(Question question) {}
    }

    /**
     * What is posted.
     *
     * @param number raised with each reading, also from one start of a process to the next
     * @param at when the answer was read; null where there is none
     * @param answer the last there was; null where there is none
     * @param problem in words, why there is no later one; null where nothing is wrong
     */
    record Notice(
            long number,
            @Nullable Instant at,
            @Nullable JsonNode answer,
            @Nullable String problem) {}

    private static final class Posted {
        private long askedNanos;
        private long readNanos;
        private @Nullable Notice notice;
    }

    private static final Logger log = LoggerFactory.getLogger(QueryCache.class);

    private final Time time;
    private final Reader reader;
    private final Map<Question, Posted> board = new LinkedHashMap<>();
    private long number;
    private boolean closed;

    QueryCache(Time time, Reader reader) {
        this.time = time;
        this.reader = reader;
        this.number = time.now().toEpochMilli();
    }

    /**
     * The latest notice; where there is none yet the first, for which it waits.
     *
     * @param most how long it waits
     * @return empty if there is none in time, or as many questions are asked as may be
     */
    synchronized Optional<Notice> ask(Question question, Duration most) throws InterruptedException {
        Posted posted = board.get(question);
        if (posted == null) {
            if (board.size() >= MOST) {
                return Optional.empty();
            }
            posted = new Posted();
            board.put(question, posted);
        }
        posted.askedNanos = time.nanos();
        long deadline = posted.askedNanos + most.toNanos();
        while (posted.notice == null && !closed) {
            long left = Duration.ofNanos(deadline - time.nanos()).toMillis();
            if (left <= 0) {
                break;
            }
            wait(left);
        }
        return Optional.ofNullable(posted.notice);
    }

    /** Reads what is due. */
    void look() {
        for (Question question : due()) {
            post(question, read(question));
        }
    }

    private synchronized List<Question> due() {
        long now = time.nanos();
        board.entrySet().removeIf(entry -> {
            // what was not read yet somebody waits for
            boolean isOver = entry.getValue().notice != null && now - entry.getValue().askedNanos > KEPT.toNanos();
            if (isOver) {
                reader.forget(entry.getKey());
            }
            return isOver;
        });
        List<Question> due = new ArrayList<>();
        board.forEach((question, posted) -> {
            if (posted.notice == null
                    || now - posted.readNanos >= question.every().toNanos()) {
                posted.readNanos = now;
                due.add(question);
            }
        });
        return due;
    }

    private Notice read(Question question) {
        number++;
        try {
            JsonNode answer = reader.read(question);
            return new Notice(number, time.now(), answer, null);
        } catch (NoAnswerException e) {
            log.debug("no answer: {}", e.getMessage());
            return new Notice(number, null, null, "there is no answer now");
        } catch (RefusedException | IllegalArgumentException e) {
            return new Notice(number, null, null, e.getMessage());
        } catch (RuntimeException e) {
            log.error("a question of the console cannot be answered", e);
            return new Notice(number, null, null, "this is a defect: the log of the janitor tells more");
        }
    }

    private synchronized void post(Question question, Notice notice) {
        Posted posted = board.get(question);
        if (posted != null) {
            Notice before = posted.notice;
            posted.notice = notice.answer() == null && before != null
                    ? new Notice(notice.number(), before.at(), before.answer(), notice.problem())
                    : notice;
            notifyAll();
        }
    }

    /** Whoever waits is let go. */
    @Override
    public synchronized void close() {
        closed = true;
        notifyAll();
    }
}
