package org.treerename.producer;

import java.util.concurrent.CompletableFuture;
import org.treerename.request.Outcome;

/**
 * A request that was sent, and its two futures.
 *
 * @param acknowledged completes when Kafka has acknowledged the request; an acknowledged request will be processed or
 *     rejected
 * @param outcome completes with the outcome of the rename; a cancellation of this future ends the wait, not the rename
 */
public record Sent(
        String requestId, CompletableFuture<Void> acknowledged, CompletableFuture<PublishedOutcome> outcome) {

    /**
     * Returns a future of the outcome, without the JSON text of the outcome. If the caller cancels the returned future,
     * or a timeout of the caller completes it, the wait for the outcome ends.
     */
    CompletableFuture<Outcome> outcomeAlone() {
        CompletableFuture<Outcome> alone = outcome.thenApply(PublishedOutcome::outcome);
        var unused = alone.whenComplete((ended, failure) -> outcome.cancel(false));
        return alone;
    }

    static Sent failed(String requestId, RuntimeException failure) {
        return new Sent(requestId, CompletableFuture.failedFuture(failure), CompletableFuture.failedFuture(failure));
    }
}
