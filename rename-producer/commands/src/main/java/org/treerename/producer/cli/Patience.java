package org.treerename.producer.cli;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.treerename.producer.NoOutcomeException;
import org.treerename.runtime.Durations;
import org.treerename.store.NoAnswerException;
import org.treerename.store.RefusedException;

/**
 * Waits for the result of one request. If the wait times out or a signal ends the process, this class reports how the
 * user can continue.
 */
final class Patience {

    private final String requestId;
    private final String instruction;
    private final Duration timeout;
    private final PrintWriter err;

    Patience(String requestId, Duration timeout, PrintWriter err) {
        this(requestId, "send the same request with --request-id '" + requestId + "'", timeout, err);
    }

    /**
     * @param instruction the text that explains how to wait for the same result again
     */
    Patience(String requestId, String instruction, Duration timeout, PrintWriter err) {
        this.requestId = requestId;
        this.instruction = instruction;
        this.timeout = timeout;
        this.err = err;
    }

    /**
     * Waits for a future.
     *
     * @param resultName the name of the result in messages
     * @param trouble returns the reason why no result can arrive at present; empty if no reason is known
     * @throws RefusedException if a gateway refuses the request
     */
    <T> T await(CompletableFuture<T> future, String resultName, Supplier<Optional<String>> trouble)
            throws InterruptedException, UnknownEndException {
        ExitMessage shutdown = new ExitMessage(err, "interrupted before the " + resultName + "; " + howToContinue());
        try {
            return future.get(timeout.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            String expired = "no " + resultName + " within " + Durations.text(timeout);
            throw new UnknownEndException(trouble.get()
                    .map(reason -> expired + ": " + reason + "; " + howToContinue())
                    .orElse(expired + "; " + howToContinue()
                            + "; to see whether it waits, moves or is parked, run rename status '" + requestId
                            + "'; to list the live workers, run rename-admin processes"));
        } catch (ExecutionException e) {
            if (e.getCause() instanceof NoOutcomeException none) {
                String message = String.valueOf(none.getMessage());
                throw new UnknownEndException(
                        message.contains(requestId) ? message : "request " + requestId + ": " + message);
            }
            if (e.getCause() instanceof IllegalArgumentException wrongUse) {
                throw wrongUse;
            }
            if (e.getCause() instanceof NoAnswerException none) {
                throw new UnknownEndException(none.getMessage() + "; " + howToContinue());
            }
            if (e.getCause() instanceof RefusedException refused) {
                throw refused;
            }
            throw new IllegalStateException(e.getCause());
        } finally {
            shutdown.withdraw();
        }
    }

    private String howToContinue() {
        return "request " + requestId + " may still be processed; " + instruction
                + " to wait again; the request is processed only once";
    }
}
