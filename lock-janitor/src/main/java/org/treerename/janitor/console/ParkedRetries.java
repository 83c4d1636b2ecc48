package org.treerename.janitor.console;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.treerename.janitor.console.Operator.Answer;
import org.treerename.janitor.recovery.RollForward.Result;
import org.treerename.journal.Journal;
import org.treerename.journal.JournalEntry;
import org.treerename.journal.State;
import org.treerename.overview.OverviewJson;
import org.treerename.store.NoAnswerException;
import org.treerename.store.Versioned;

/**
 * Retries parked renames in the process of this janitor. A retry may take a long time, so the time for which a caller
 * waits for the result is limited. Each call may throw {@link NoAnswerException}.
 */
final class ParkedRetries {

    /**
     * The default maximum time for which a caller waits for the result. This time is shorter than the timeout of a
     * browser, so the browser receives an answer.
     */
    static final Duration PATIENCE = Duration.ofSeconds(10);

    private static final Logger log = LoggerFactory.getLogger(ParkedRetries.class);

    private final Journal journal;
    private final Console.Retry retry;
    private final Duration patience;

    /** @param patience the maximum time for which a caller waits for the result */
    ParkedRetries(Journal journal, Console.Retry retry, Duration patience) {
        this.journal = journal;
        this.retry = retry;
        this.patience = patience;
    }

    Answer retry(String requestId) {
        Optional<JournalEntry> entry = journal.readOfRequest(requestId).map(Versioned::value);
        if (entry.isEmpty()) {
            return new Answer(false, "the journal has no entry for " + requestId);
        }
        if (entry.get().state() != State.PARKED) {
            return new Answer(false, inWords(entry.get()) + ", so there is nothing to retry");
        }
        return retry.begin(requestId)
                .map(result -> await(requestId, result))
                .orElseGet(() -> new Answer(
                        false,
                        requestId + " cannot be retried now: this janitor is already processing this rename, or the"
                                + " janitor is starting or stopping; try again"));
    }

    private Answer await(String requestId, Future<Result> result) {
        try {
            return answer(requestId, result.get(patience.toMillis(), TimeUnit.MILLISECONDS));
        } catch (TimeoutException e) {
            return new Answer(true, "the retry of " + requestId + " is still running; the page shows its progress");
        } catch (ExecutionException e) {
            log.debug("the retry of the parked rename {} failed: {}; a janitor tries again", requestId, e.getMessage());
            return new Answer(
                    false, "the retry of " + requestId + " failed; see the log of the janitor, and try again");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new NoAnswerException("the console stops during the retry of " + requestId, e);
        }
    }

    private Answer answer(String requestId, Result result) {
        String now = journal.readOfRequest(requestId)
                .map(found -> inWords(found.value()))
                .orElse("the journal has no entry for " + requestId + " any more");
        return switch (result) {
            case CLOSED -> new Answer(true, now);
            case PARKED -> new Answer(false, now + ". Correct the cause, and try again");
            case LOST -> new Answer(false, now + "; another process changed the journal entry first");
            case LEFT_ALONE, RELEASED -> new Answer(false, now + ", so there is nothing to retry");
        };
    }

    /** Returns the state of an entry as a text, for example {@code r1 is closed: completed}. */
    private static String inWords(JournalEntry entry) {
        String state = entry.requestId() + " is " + OverviewJson.word(entry.state());
        if (entry.parking() != null) {
            return state + ": " + entry.parking();
        }
        return OverviewJson.status(entry).map(status -> state + ": " + status).orElse(state);
    }
}
