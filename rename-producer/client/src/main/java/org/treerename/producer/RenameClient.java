package org.treerename.producer;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.treerename.kafka.RequestCodec;
import org.treerename.request.Outcome;
import org.treerename.request.ParsedRequest.RenameRequest;

/**
 * Sends requests for renames and returns their outcomes. {@link RenameProducer} sends requests over Kafka. {@link
 * org.treerename.producer.fake.InMemoryRenameClient} is for tests, and renames paths in memory. Create one client and
 * reuse it. Any thread may call a client.
 *
 * <pre>{@code
 * try (RenameClient renames = RenameProducer.connect(ProducerSettings.of("localhost:9092"))) {
 *     RenameRequest request = renames.rename("files", "/drafts", "/archive/2026")
 *             .requestedBy("nightly job")
 *             .build();
 *     Outcome outcome = renames.send(request).get(1, TimeUnit.MINUTES);
 *     if (outcome.status() != Status.COMPLETED || outcome.reason() != null) {
 *         log.warn("{}: {}", outcome.reason(), outcome.message());
 *     }
 * }
 * }</pre>
 *
 * <p>A completed rename with a reason has left documents at the source. Its message says how many, or why.
 *
 * <p>A request is processed once, even if it is sent several times under the same id. Send the same request again if no
 * outcome arrives in time, or if a future fails with a {@link NoOutcomeException}. You can send the request with this
 * client or with another client. If the request has already ended, its outcome is published again. Store the id before
 * you send the request. So you can send the request again after a crash of your program.
 *
 * <p>Two requests <em>overlap</em> if a path of one request equals a path of the other, or lies below it. If two
 * requests of one client overlap, they are processed in the order in which they were sent.
 *
 * <p>If a request is rejected or fails, its future completes with an outcome. A future fails with a {@link
 * NoOutcomeException} if no outcome can arrive. A future fails with an {@link IllegalArgumentException} if the request
 * is invalid, for example if its id is too long. No method waits for an outcome. The callbacks of a future run on
 * virtual threads.
 */
public interface RenameClient extends AutoCloseable {

    /** Returns a new request id. The id is a UUID of version 7, so ids sort by their creation times. */
    String newRequestId();

    /**
     * Returns a builder for a request with a new request id.
     *
     * @param namespace the name of the namespace, for example {@code files}
     */
    default RequestBuilder rename(String namespace, String source, String destination) {
        return new RequestBuilder(newRequestId(), namespace, source, destination);
    }

    /**
     * Sends a request. The future completes with the outcome, which may have any status. A cancellation of the future
     * ends only the wait, not the rename.
     */
    default CompletableFuture<Outcome> send(RenameRequest request) {
        return submit(request).outcomeAlone();
    }

    /**
     * Sends a request, and reports its progress to a listener until the future completes. The future completes with
     * the outcome.
     */
    default CompletableFuture<Outcome> send(RenameRequest request, ProgressListener listener) {
        return submit(request, List.of(), listener).outcomeAlone();
    }

    /** Sends a request. Returns the future of Kafka's acknowledgement and the future of the outcome. */
    default Sent submit(RenameRequest request) {
        return submit(request, List.of());
    }

    /**
     * Sends a request that begins only after the requests in {@code after} have ended. Returns the future of Kafka's
     * acknowledgement and the future of the outcome.
     *
     * @param after the ids of at most {@link RequestCodec#MAX_AFTER} requests of any client. If one of these requests
     *     has no journal entry for a long time, the new request is rejected
     */
    Sent submit(RenameRequest request, List<String> after);

    /**
     * Sends a request as {@link #submit(RenameRequest, List)} does. Reports the progress of the rename to a listener
     * until the future of the outcome completes.
     */
    Sent submit(RenameRequest request, List<String> after, ProgressListener listener);

    /**
     * Calls {@link #follow(RenameRequest, List, ProgressListener)} with an empty list of requests and a listener that
     * does nothing.
     */
    default Followed follow(RenameRequest request) {
        return follow(request, List.of(), new ProgressListener() {});
    }

    /**
     * Sends a request. Returns the futures of {@link #submit(RenameRequest, List, ProgressListener)}, and a future that
     * completes when the rename is decided. The documents move after the decision, and the move may take long.
     */
    Followed follow(RenameRequest request, List<String> after, ProgressListener listener);

    /**
     * Sends a request. The future completes when Kafka has acknowledged the request. An acknowledged request will be
     * processed or rejected.
     */
    default CompletableFuture<Void> publish(RenameRequest request) {
        return publish(request, List.of());
    }

    /**
     * Sends a request that begins only after the requests in {@code after} have ended. The future completes when Kafka
     * has acknowledged the request.
     */
    CompletableFuture<Void> publish(RenameRequest request, List<String> after);

    /**
     * Reports the outcomes of all requests of the installation to a listener, until the subscription or this client is
     * closed. The requests may come from any program.
     *
     * @param start the position of the first outcome that the listener receives
     * @throws CannotConnectException if there is no answer from Kafka, or if the topic of outcomes is missing
     */
    OutcomeSubscription subscribe(OutcomeStart start, OutcomeListener listener);

    /** Closes the client as {@link #close(Duration)} does, with a timeout of ten seconds. */
    @Override
    default void close() {
        close(Duration.ofSeconds(10));
    }

    /**
     * Closes this client and its subscriptions. Waits for outstanding acknowledgements, but not for outcomes. If a
     * future has no outcome yet, it fails with a {@link NoOutcomeException}, but the rename continues.
     */
    void close(Duration timeout);
}
