package org.treerename.producer.cli;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.treerename.producer.ProgressListener;
import org.treerename.producer.PublishedOutcome;
import org.treerename.request.DecisionTime;
import org.treerename.request.ParsedRequest.RenameRequest;

/** Sends renames to Kafka or to a gateway, and returns their results. */
interface RequestSender extends AutoCloseable {

    /** The first result of a rename: its decision, or its end without a decision. */
    sealed interface FirstResult {

        record Decided(DecisionTime time) implements FirstResult {}

        record Ended(PublishedOutcome published) implements FirstResult {}
    }

    String newRequestId();

    /** Returns the name of the server that acknowledges requests. Messages contain this name. */
    String acknowledger();

    /** Sends a request. The future completes when Kafka or the gateway has acknowledged the request. */
    CompletableFuture<Void> publish(RenameRequest request, List<String> after);

    /** Sends a request. The future completes with the outcome. */
    CompletableFuture<PublishedOutcome> submit(RenameRequest request, List<String> after, ProgressListener listener);

    /** Sends a request. The future completes when the rename is decided or has ended. */
    CompletableFuture<FirstResult> follow(RenameRequest request, List<String> after);

    /** Returns the reason why the sender cannot receive results at present; empty if no reason is known. */
    default Optional<String> trouble() {
        return Optional.empty();
    }

    @Override
    void close();
}
