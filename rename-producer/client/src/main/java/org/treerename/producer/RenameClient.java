package org.treerename.producer;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.treerename.kafka.RequestCodec;
import org.treerename.request.Outcome;
import org.treerename.request.ParsedRequest.RenameRequest;

/**
 * Sends requests for renames and returns their outcomes. {@link RenameProducer} is the client that uses Kafka, and
 * {@link org.treerename.producer.fake.InMemoryRenameClient} is a client for tests that renames paths in memory. Create
 * one client and reuse it. Any thread may call a client.
 *
 * <pre>{@code
 * try (RenameClient renames = RenameProducer.connect(ProducerSettings.of("localhost:9092"))) {
 *     RenameRequest request = renames.rename("files", "/drafts", "/archive/2026")
 *             .requestedBy("nightly job")
 *             .build();
 *     Outcome outcome = renames.send(request).get(1, TimeUnit.MINUTES);
 *     if (outcome.status() != Status.COMPLETED) {
 *         log.warn("{}: {}", outcome.reason(), outcome.message());
 *     }
 * }
 * }</pre>
 *
 * <p>A request is processed once, even if it is sent several times under the same id. If no outcome arrives in time, or
 * a future fails with a {@link NoOutcomeException}, send the same request again, with this client or another client.
 * The outcome is then published again. Store the id before you send the request. Then you can send the request again
 * after a crash of your program.
 *
 * <p>If requests of one client overlap, they are processed in the order in which they were sent.
 *
 * <p>If a request is rejected or fails, the future completes with an outcome. A future fails with a {@link
 * NoOutcomeException} if no outcome can arrive. A future also fails with an {@link IllegalArgumentException} if the
 * request is invalid, for example if its id is too long. No method waits for an outcome. Callbacks of a future run on a
 * virtual thread.
 */
public interface RenameClient extends AutoCloseable {

    /** Returns a new request id: a UUID of version 7, so that ids sort by their creation times. */
    String newRequestId();

    /**
     * Returns a builder of a request with a new request id.
     *
     * @param namespace the name of the tree
     */
    default RequestBuilder rename(String namespace, String source, String destination) {
        return new RequestBuilder(newRequestId(), namespace, source, destination);
    }

    /**
     * Sends a request. The future completes with the outcome. The outcome may have any status. A cancellation of the
     * future ends only the wait, not the rename.
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
     * Sends a request that must begin after other requests have ended. Returns the future of Kafka's acknowledgement
     * and the future of the outcome.
     *
     * @param after the ids of at most {@link RequestCodec#MAX_AFTER} requests of any client; if one of these requests
     *     has no journal entry for a long time, this request is rejected
     */
    Sent submit(RenameRequest request, List<String> after);

    /**
     * Sends a request as {@link #submit(RenameRequest, List)} does, and reports its progress to a listener until the
     * future of the outcome completes.
     */
    Sent submit(RenameRequest request, List<String> after, ProgressListener listener);

    /**
     * Sends a request as {@link #follow(RenameRequest, List, ProgressListener)} does, without predecessors and without
     * a listener.
     */
    default Followed follow(RenameRequest request) {
        return follow(request, List.of(), new ProgressListener() {});
    }

    /**
     * Sends a request. Returns the futures of {@link #submit(RenameRequest, List, ProgressListener)} and a future of
     * the decision. The documents move after the decision. The move may take long.
     */
    Followed follow(RenameRequest request, List<String> after, ProgressListener listener);

    /**
     * Sends a request. The future completes when Kafka has acknowledged the request. The request will then be processed
     * or rejected.
     */
    default CompletableFuture<Void> publish(RenameRequest request) {
        return publish(request, List.of());
    }

    /**
     * Sends a request that must begin after other requests have ended, as {@link #submit(RenameRequest, List)} does.
     * The future completes when Kafka has acknowledged the request.
     */
    CompletableFuture<Void> publish(RenameRequest request, List<String> after);

    /**
     * Reports the outcomes of all requests of the installation to a listener, until the subscription or this client is
     * closed. The requests may come from any program.
     *
     * @param start the first outcome that the listener receives
     * @throws CannotConnectException if Kafka does not answer or the topic is missing
     */
    OutcomeSubscription subscribe(OutcomeStart start, OutcomeListener listener);

    /** Closes the client within ten seconds, see {@link #close(Duration)}. */
    @Override
    default void close() {
        close(Duration.ofSeconds(10));
    }

    /**
     * Closes this client and its subscriptions. Waits for outstanding acknowledgements, but not for outcomes. A future
     * without an outcome fails with a {@link NoOutcomeException}, but its rename continues.
     */
    void close(Duration timeout);
}
