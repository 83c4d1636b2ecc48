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
 * Keeps the last answer to each query, for all browsers. One thread {@linkplain #poll reads} the answers to the queries
 * that browsers sent recently, each query at its own interval. So ten browsers with the same query cause as many reads
 * as one browser. If no browser shows the console, there are no reads. Any thread may {@linkplain #ask send} a query.
 */
final class QueryCache implements AutoCloseable {

    /**
     * The time after which a query is removed if no browser sends it again. A browser pauses for less than this time
     * between two requests.
     */
    static final Duration KEPT = Duration.ofSeconds(10);

    /** The maximum number of different queries in the cache. */
    static final int MOST = 64;

    /** Reads the answers to queries from the servers. Only one thread calls this interface. */
    interface Reader {

        /**
         * Returns the answer to a query.
         *
         * @throws NoAnswerException if a server does not answer
         * @throws IllegalArgumentException if the query is invalid; the message is shown to people
         */
        JsonNode read(Question question);

        /**
         * Releases the state that the reader keeps for a query. The cache calls this method when it removes the query.
         */
        default void forget(Question question) {}
    }

    /**
     * The last answer to a query, or the reason why there is no answer.
     *
     * @param number the number of this notice; each later notice has a higher number, even after a restart of the
     *     process
     * @param at the time at which the answer was read; null if there is no answer
     * @param answer the last answer; null if there is no answer
     * @param problem the reason, as a text, why the last read returned no answer; null if the last read returned an
     *     answer
     */
    record Notice(
            long number,
            @Nullable Instant at,
            @Nullable JsonNode answer,
            @Nullable String problem) {}

    private static final class Cached {
        private long askedNanos;
        private long readNanos;
        private @Nullable Notice notice;
    }

    private static final Logger log = LoggerFactory.getLogger(QueryCache.class);

    private final Time time;
    private final Reader reader;
    private final Map<Question, Cached> cache = new LinkedHashMap<>();
    private long number;
    private boolean closed;

    QueryCache(Time time, Reader reader) {
        this.time = time;
        this.reader = reader;
        this.number = time.now().toEpochMilli();
    }

    /**
     * Returns the latest notice of a query. If there is no notice yet, this method blocks until the first answer is
     * read.
     *
     * @param most the maximum time for which this method blocks
     * @return the notice; empty if no answer was read in time, or if the cache contains too many different queries
     */
    synchronized Optional<Notice> ask(Question question, Duration most) throws InterruptedException {
        Cached cached = cache.get(question);
        if (cached == null) {
            if (cache.size() >= MOST) {
                return Optional.empty();
            }
            cached = new Cached();
            cache.put(question, cached);
        }
        cached.askedNanos = time.nanos();
        long deadline = cached.askedNanos + most.toNanos();
        while (cached.notice == null && !closed) {
            long left = Duration.ofNanos(deadline - time.nanos()).toMillis();
            if (left <= 0) {
                break;
            }
            wait(left);
        }
        return Optional.ofNullable(cached.notice);
    }

    /** Reads the answers to the queries whose interval has passed. */
    void poll() {
        for (Question question : due()) {
            store(question, read(question));
        }
    }

    private synchronized List<Question> due() {
        long now = time.nanos();
        cache.entrySet().removeIf(entry -> {
            // a query without a notice is kept, because a caller may still wait for its first answer
            boolean isOver = entry.getValue().notice != null && now - entry.getValue().askedNanos > KEPT.toNanos();
            if (isOver) {
                reader.forget(entry.getKey());
            }
            return isOver;
        });
        List<Question> due = new ArrayList<>();
        cache.forEach((question, cached) -> {
            if (cached.notice == null
                    || now - cached.readNanos >= question.every().toNanos()) {
                cached.readNanos = now;
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
            log.debug("a query of the console got no answer: {}; the console repeats the query", e.getMessage());
            return new Notice(number, null, null, "Elasticsearch or Kafka does not answer");
        } catch (RefusedException | IllegalArgumentException e) {
            return new Notice(number, null, null, e.getMessage());
        } catch (RuntimeException e) {
            log.error(
                    "the query {} of the console failed; the console repeats the query",
                    question.getClass().getSimpleName(),
                    e);
            return new Notice(number, null, null, "internal error; see the log of the janitor");
        }
    }

    private synchronized void store(Question question, Notice notice) {
        Cached cached = cache.get(question);
        if (cached != null) {
            Notice before = cached.notice;
            cached.notice = notice.answer() == null && before != null
                    ? new Notice(notice.number(), before.at(), before.answer(), notice.problem())
                    : notice;
            notifyAll();
        }
    }

    /** Wakes all callers that wait for an answer. */
    @Override
    public synchronized void close() {
        closed = true;
        notifyAll();
    }
}
