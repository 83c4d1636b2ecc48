package org.treerename.producer;

import java.util.concurrent.CompletableFuture;

/**
 * A request on its way.
 *
 * @param acknowledged ends when Kafka has the request safely: from then on it will be carried out or rejected
 * @param outcome ends with how the rename ended; cancelling it ends the waiting, not the rename
 */
public record Sent(
        String requestId, CompletableFuture<Void> acknowledged, CompletableFuture<PublishedOutcome> outcome) {

    static Sent failed(String requestId, RuntimeException failure) {
        return new Sent(requestId, CompletableFuture.failedFuture(failure), CompletableFuture.failedFuture(failure));
    }
}
