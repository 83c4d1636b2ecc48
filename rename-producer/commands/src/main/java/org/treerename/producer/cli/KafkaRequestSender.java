package org.treerename.producer.cli;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.treerename.producer.NotCommittedException;
import org.treerename.producer.ProgressListener;
import org.treerename.producer.PublishedOutcome;
import org.treerename.producer.RenameProducer;
import org.treerename.request.ParsedRequest.RenameRequest;

/** Sends renames to Kafka, and receives their outcomes, with a {@link RenameProducer}. */
record KafkaRequestSender(RenameProducer producer) implements RequestSender {

    /** Short, because the result was already printed. */
    private static final Duration CLOSE = Duration.ofSeconds(2);

    @Override
    public String newRequestId() {
        return producer.newRequestId();
    }

    @Override
    public String acknowledger() {
        return "Kafka";
    }

    @Override
    public CompletableFuture<Void> publish(RenameRequest request, List<String> after) {
        return producer.publish(request, after);
    }

    @Override
    public CompletableFuture<PublishedOutcome> submit(
            RenameRequest request, List<String> after, ProgressListener listener) {
        return producer.submit(request, after, listener).outcome();
    }

    @Override
    public CompletableFuture<FirstResult> follow(RenameRequest request, List<String> after) {
        return producer.follow(request, after, new ProgressListener() {})
                .decided()
                .<FirstResult>thenApply(FirstResult.Decided::new)
                .exceptionally(failure -> {
                    Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
                    if (cause instanceof NotCommittedException ended) {
                        return new FirstResult.Ended(ended.published());
                    }
                    throw new CompletionException(cause);
                });
    }

    @Override
    public void close() {
        producer.close(CLOSE);
    }
}
