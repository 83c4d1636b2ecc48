package org.treerename.producer.cli;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.treerename.producer.NoOutcomeException;
import org.treerename.producer.NotCommittedException;

/** Waits for what becomes of one request, and has last words where it waits in vain or is interrupted. */
final class Patience {

    private final String requestId;
    private final String again;
    private final Duration timeout;
    private final PrintWriter err;

    Patience(String requestId, Duration timeout, PrintWriter err) {
        this(requestId, "send the same with --request-id '" + requestId + "'", timeout, err);
    }

    /**
     * @param again how to ask for the same once more, in words
     */
    Patience(String requestId, String again, Duration timeout, PrintWriter err) {
        this.requestId = requestId;
        this.again = again;
        this.timeout = timeout;
        this.err = err;
    }

    /**
     * Waits.
     *
     * @param what is waited for, in words
     * @throws NotCommittedException if the future is that of a decision, and the rename ended without a commit
     */
    <T> T await(CompletableFuture<T> future, String what) throws InterruptedException, UnknownEndException {
        ExitMessage shutdown = new ExitMessage(err, "interrupted before the " + what + "; " + howToAsk());
        try {
            return future.get(timeout.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            throw new UnknownEndException("no " + what + " within " + text(timeout) + "; " + howToAsk());
        } catch (ExecutionException e) {
            if (e.getCause() instanceof NoOutcomeException none) {
                throw new UnknownEndException(String.valueOf(none.getMessage()));
            }
            if (e.getCause() instanceof IllegalArgumentException wrongUse) {
                throw wrongUse;
            }
            if (e.getCause() instanceof NotCommittedException ended) {
                throw ended;
            }
            throw new IllegalStateException(e.getCause());
        } finally {
            shutdown.withdraw();
        }
    }

    private String howToAsk() {
        return "request " + requestId + " may still be carried out; to ask again " + again + ", it is done once";
    }

    /** As {@code --timeout} takes it. */
    private static String text(Duration duration) {
        return duration.toMillisPart() == 0 ? duration.toSeconds() + "s" : duration.toMillis() + "ms";
    }
}
