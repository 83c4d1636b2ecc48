package org.treerename.producer.cli;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.treerename.cli.Output;
import org.treerename.producer.NoOutcomeException;
import org.treerename.producer.PublishedOutcome;
import org.treerename.producer.direct.DirectListener;
import org.treerename.producer.direct.DirectRenames;
import org.treerename.producer.direct.DirectSettings;
import org.treerename.request.Outcome;
import org.treerename.request.ParsedRequest.RenameRequest;
import org.treerename.request.Reason;
import org.treerename.request.RenameProgress;
import org.treerename.request.Status;
import org.treerename.runtime.Time;
import org.treerename.store.NoAnswerException;
import org.treerename.store.RefusedException;

/**
 * Runs one rename for {@code rename mv --direct}, and prints its outcome.
 *
 * <p>After Ctrl-C, a rename that is not decided ends without moving a document, and releases its locks. A decided
 * rename continues for the grace period. If the rename ends within this period, the command prints the outcome.
 * Otherwise a janitor finishes the rename.
 */
final class DirectMv {

    private static final Duration LOOK_EVERY = Duration.ofMillis(50);

    private final DirectSettings settings;
    private final Output output;
    private final PrintWriter err;
    private final boolean terminal;
    private final Time time;

    DirectMv(DirectSettings settings, Output output, PrintWriter err, boolean terminal, Time time) {
        this.settings = settings;
        this.output = output;
        this.err = err;
        this.terminal = terminal;
        this.time = time;
    }

    /**
     * Runs the rename. Returns the exit code.
     *
     * @param request creates the request; the function receives a new request id
     */
    int run(Function<String, RenameRequest> request) throws InterruptedException {
        Interruption interruption = new Interruption();
        interruption.listen();
        int code = ExitCodes.DEFECT;
        try (DirectRenames renames = DirectRenames.connect(settings)) {
            code = run(renames, request.apply(renames.newRequestId()), interruption);
            return code;
        } finally {
            interruption.end(code);
        }
    }

    private int run(DirectRenames renames, RenameRequest request, Interruption interruption)
            throws InterruptedException {
        long startNanos = time.nanos();
        try (ProgressLine progress = new ProgressLine(err, terminal, time, 0)) {
            CompletableFuture<PublishedOutcome> rename = renames.submit(request, listener(request, progress));
            PublishedOutcome published = await(rename, interruption);
            progress.close();
            Duration taken = Duration.ofNanos(time.nanos() - startNanos);
            output.published(published.json(), () -> OutcomeLine.of(request, published.outcome(), taken));
            return code(published.outcome(), interruption);
        } catch (TimeoutException e) {
            err.println("interrupted: request " + OutcomeLine.printable(request.requestId())
                    + " has not ended; if the request is decided, a janitor finishes it; for its state, run rename"
                    + " status");
            return ExitCodes.INTERRUPTED;
        } catch (ExecutionException e) {
            return failure(e);
        }
    }

    private static int code(Outcome outcome, Interruption interruption) {
        if (outcome.status() == Status.COMPLETED) {
            return ExitCodes.DONE;
        }
        boolean isInterrupted = interruption.isRequested() && outcome.reason() == Reason.PROCESS_ENDED;
        return isInterrupted ? ExitCodes.INTERRUPTED : ExitCodes.NOT_DONE;
    }

    /** @throws TimeoutException if no outcome arrives within the grace period after a signal */
    private PublishedOutcome await(CompletableFuture<PublishedOutcome> rename, Interruption interruption)
            throws InterruptedException, ExecutionException, TimeoutException {
        long interruptedNanos = 0;
        boolean isInterrupted = false;
        while (true) {
            try {
                return rename.get(LOOK_EVERY.toMillis(), TimeUnit.MILLISECONDS);
            } catch (TimeoutException e) {
                if (!isInterrupted && interruption.isRequested()) {
                    isInterrupted = true;
                    interruptedNanos = time.nanos();
                    err.println("interrupted: if the rename is decided, it continues for up to "
                            + settings.grace().toSeconds() + " s; otherwise it ends without a change");
                }
                if (isInterrupted
                        && time.nanos() - interruptedNanos > settings.grace().toNanos()) {
                    throw e;
                }
            }
        }
    }

    private int failure(ExecutionException failure) {
        Throwable cause = failure.getCause();
        if (cause instanceof NoAnswerException
                || cause instanceof RefusedException
                || cause instanceof NoOutcomeException) {
            err.println(OutcomeLine.printable(String.valueOf(cause.getMessage())));
            return ExitCodes.UNKNOWN;
        }
        if (cause instanceof RuntimeException unexpected) {
            throw unexpected;
        }
        throw new IllegalStateException(cause);
    }

    private DirectListener listener(RenameRequest request, ProgressLine progress) {
        AtomicBoolean hasReported = new AtomicBoolean();
        return new DirectListener() {
            @Override
            public void waiting() {
                if (hasReported.compareAndSet(false, true)) {
                    err.println("waiting up to " + settings.lockWait().toSeconds()
                            + " s for the locks of other requests; the command \"rename status "
                            + OutcomeLine.printable(request.requestId()) + "\" names these requests");
                }
            }

            @Override
            public void progressed(RenameProgress reported) {
                progress.show(reported.moved(), reported.expected(), " documents moved");
            }
        };
    }
}
