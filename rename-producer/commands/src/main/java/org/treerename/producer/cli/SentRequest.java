package org.treerename.producer.cli;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.treerename.cli.Output;
import org.treerename.producer.NoOutcomeException;
import org.treerename.producer.ProgressListener;
import org.treerename.producer.PublishedOutcome;
import org.treerename.producer.cli.RequestSender.FirstResult;
import org.treerename.request.ParsedRequest.RenameRequest;
import org.treerename.request.RenameProgress;
import org.treerename.request.Status;
import org.treerename.runtime.Time;

/**
 * Sends one rename, waits for its result, and prints the result. The caller calls only one of the methods that send the
 * rename, and only once.
 *
 * @param after the ids of the requests that must end before this rename begins
 * @param patience waits for each result up to a timeout
 */
record SentRequest(RequestSender sender, RenameRequest request, List<String> after, Patience patience, Output output) {

    /** An outcome, and the time from the request to the outcome. */
    record Ended(PublishedOutcome published, Duration taken) {}

    /** Sends the request, waits for the acknowledgement, and prints the request id. Returns the exit code. */
    int acknowledge() throws InterruptedException, UnknownEndException {
        await(sender.publish(request, after), "acknowledgement from " + sender.acknowledger());
        return printId();
    }

    /** Prints the request id, and returns the exit code. */
    int printId() {
        output.object(
                JsonNodeFactory.instance.objectNode().put("request_id", request.requestId()),
                () -> List.of(request.requestId()));
        return ExitCodes.DONE;
    }

    /** Sends the request, and waits for the outcome, or until the rename is parked. */
    Ended end(Time time, ProgressListener listener) throws InterruptedException, UnknownEndException {
        return ended(time, listener, unlessParked -> sender.submit(request, after, unlessParked));
    }

    /** Waits for the outcome of a request that the gateway has sent to Kafka, or until the rename is parked. */
    Ended endOf(Time time, GatewayRequestSender gateway) throws InterruptedException, UnknownEndException {
        return ended(
                time, new ProgressListener() {}, unlessParked -> gateway.outcome(request.requestId(), unlessParked));
    }

    private Ended ended(
            Time time,
            ProgressListener listener,
            Function<ProgressListener, CompletableFuture<PublishedOutcome>> outcomes)
            throws InterruptedException, UnknownEndException {
        long startNanos = time.nanos();
        CompletableFuture<PublishedOutcome> end = new CompletableFuture<>();
        ProgressListener unlessParked = new ProgressListener() {
            @Override
            public void progressed(RenameProgress progress) {
                listener.progressed(progress);
                if (progress.parked() != null) {
                    end.completeExceptionally(new NoOutcomeException(
                            RenameProgress.parkedInWords(request.requestId(), progress.parked())));
                }
            }
        };
        var unused = outcomes.apply(unlessParked).whenComplete((outcome, failure) -> {
            if (failure == null) {
                end.complete(outcome);
            } else {
                end.completeExceptionally(failure);
            }
        });
        PublishedOutcome published = await(end, "outcome");
        return new Ended(published, Duration.ofNanos(time.nanos() - startNanos));
    }

    /** Prints an outcome, and returns the exit code. */
    int print(Ended ended) {
        PublishedOutcome published = ended.published();
        output.published(published.json(), () -> OutcomeLine.of(request, published.outcome(), ended.taken()));
        return published.outcome().status() == Status.COMPLETED ? ExitCodes.DONE : ExitCodes.NOT_DONE;
    }

    /**
     * Sends the request, waits until the rename is decided or has ended, and prints this result. Returns the exit code.
     */
    int decide() throws InterruptedException, UnknownEndException {
        return switch (await(sender.follow(request, after), "decision")) {
            case FirstResult.Decided decided -> {
                output.object(
                        DecisionLine.json(request, decided.time()),
                        () -> List.of(DecisionLine.of(request, decided.time())));
                yield ExitCodes.DONE;
            }
            case FirstResult.Ended ended -> {
                PublishedOutcome published = ended.published();
                output.published(published.json(), () -> OutcomeLine.notCompleted(published.outcome()));
                yield ExitCodes.NOT_DONE;
            }
        };
    }

    private <T> T await(CompletableFuture<T> future, String resultName)
            throws InterruptedException, UnknownEndException {
        return patience.await(future, resultName, sender::trouble);
    }
}
