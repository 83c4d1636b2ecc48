package org.treerename.producer;

import java.nio.charset.CharsetEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.treerename.kafka.RequestCodec;
import org.treerename.request.Outcome;
import org.treerename.request.ParsedRequest.RenameRequest;
import org.treerename.request.RequestIds;
import org.treerename.runtime.SystemTime;
import org.treerename.runtime.Time;
import org.treerename.runtime.UuidV7;

/**
 * Sends requests for renames and returns their outcomes. Create one producer and reuse it; any thread may call it.
 *
 * <pre>{@code
 * try (RenameProducer producer = RenameProducer.connect(ProducerSettings.of("localhost:9092"))) {
 *     RenameRequest request = producer.rename("/drafts", "/archive/2026")
 *             .namespace("files")
 *             .requestedBy("nightly job")
 *             .build();
 *     Outcome outcome = producer.send(request).get(1, TimeUnit.MINUTES);
 *     if (outcome.status() != Status.COMPLETED) {
 *         log.warn("{}: {}", outcome.reason(), outcome.message());
 *     }
 * }
 * }</pre>
 *
 * <p>A request is processed once, even if it is sent several times under the same id. If no outcome arrives
 * in time, or a future fails with a {@link NoOutcomeException}, send the same request again. You can use this
 * producer or another producer. The outcome is then published again. Store the id before you send the
 * request. Then you can send the request again after a crash of your program.
 *
 * <p>If requests of one producer overlap, they are processed in the order in which they were sent, even in
 * different partitions. In different partitions, the record of the later request names the earlier request in
 * {@code after}. The later record is sent when Kafka has acknowledged the earlier record. A worker processes
 * the later request when the earlier request has ended. There is no order with a request that Kafka did not
 * acknowledge. There is also no order with a request whose outcome has not arrived for a day. There is also
 * no order with
 * requests of other producers, except those whose ids are given.
 *
 * <p>At most 100,000 requests of a producer may be without a known outcome, whether or not a future waits for it. A further request is not sent.
 *
 * <p>If a request is rejected or fails, the future completes with an outcome. A future fails only if no
 * outcome can arrive. It fails with a {@link NoOutcomeException} in four cases. Kafka did not acknowledge the
 * request. This version cannot read the outcome, because a later version wrote it. Kafka does not permit this
 * program to read outcomes. The producer is closed. It fails with an {@link IllegalArgumentException} if
 * the request is invalid, for example its id. No method waits for an outcome. A method that sends may block
 * for {@code apiTimeout} if Kafka accepts no record. Callbacks of a future run on a virtual thread.
 */
public final class RenameProducer implements AutoCloseable {

    /** The largest number of requests that may wait for their outcomes. A further request is not sent. */
    public static final int MAX_WAITING = 100_000;

    /** The longest time that {@link #follow} waits until progress records are read. */
    private static final Duration PROGRESS = Duration.ofSeconds(5);

    private static final Duration CLOSE = Duration.ofSeconds(10);

    private final Dispatch dispatch;
    private final Readers readers;
    private final Waiting waiting;
    private final UuidV7 ids;
    private final Time time;

    /** The readers of outcomes and progress. */
    record Readers(OutcomeReader outcomes, ProgressReader progress) {}

    RenameProducer(Dispatch dispatch, Readers readers, Waiting waiting, UuidV7 ids, Time time) {
        this.dispatch = dispatch;
        this.readers = readers;
        this.waiting = waiting;
        this.ids = ids;
        this.time = time;
    }

    /**
     * Connects to Kafka. The topics of requests and of outcomes must exist. Takes at most twice {@link
     * ProducerSettings#apiTimeout}.
     *
     * @throws CannotConnectException if Kafka does not answer or a topic is missing; the message names the servers
     *      and the cause
     */
    public static RenameProducer connect(ProducerSettings settings) {
        return new Connection(settings, new SystemTime()).open();
    }

    /** Returns a new request id: a UUID of version 7, so that ids sort by their creation times. */
    public String newRequestId() {
        return ids.next().toString();
    }

    /** Returns a builder of a request with a new request id. */
    public RequestBuilder rename(String source, String destination) {
        return new RequestBuilder(newRequestId(), source, destination);
    }

    /**
     * Sends a request. The future completes with the outcome, which may have any status. A cancellation of the future
     * ends only the wait, not the rename.
     */
    public CompletableFuture<Outcome> send(RenameRequest request) {
        return outcomeOf(submit(request));
    }

    /**
     * Sends a request, and reports its progress to a listener until the future completes. The future completes with
     * the outcome.
     */
    public CompletableFuture<Outcome> send(RenameRequest request, ProgressListener listener) {
        return outcomeOf(submit(request, List.of(), listener));
    }

    private static CompletableFuture<Outcome> outcomeOf(Sent sent) {
        CompletableFuture<PublishedOutcome> published = sent.outcome();
        CompletableFuture<Outcome> outcome = published.thenApply(PublishedOutcome::outcome);
        // a timeout or a cancellation by the caller must also end the internal wait; otherwise that wait
        // would never end
        var unused = outcome.whenComplete((ended, failure) -> published.cancel(false));
        return outcome;
    }

    /** Sends a request. Returns the future of Kafka's acknowledgement and the future of the outcome. */
    public Sent submit(RenameRequest request) {
        return submit(request, List.of());
    }

    /**
     * Sends a request that must begin after other requests have ended. Returns the future of Kafka's acknowledgement
     * and the future of the outcome.
     *
     * @param after the ids of at most {@link RequestCodec#MAX_AFTER} requests of any producer; if the journal does not
     *     know one of them for a long time, this request is rejected
     */
    public Sent submit(RenameRequest request, List<String> after) {
        Optional<String> problem = problem(request, after);
        if (problem.isPresent()) {
            return Sent.failed(request.requestId(), new IllegalArgumentException(problem.get()));
        }
        CompletableFuture<PublishedOutcome> outcome = waiting.add(request.requestId());
        if (outcome.isCompletedExceptionally()) {
            return new Sent(request.requestId(), outcome.thenApply(ended -> null), outcome);
        }
        CompletableFuture<Void> acknowledged = dispatch.send(request, after);
        var unused = acknowledged.whenComplete((nothing, failure) -> {
            if (failure != null) {
                outcome.completeExceptionally(failure);
            }
        });
        return new Sent(request.requestId(), acknowledged, outcome);
    }

    /**
     * Sends a request as {@link #submit(RenameRequest, List)} does, and reports its progress to a listener until the
     * future of the outcome completes.
     */
    public Sent submit(RenameRequest request, List<String> after, ProgressListener listener) {
        Listening.Registration registration = readers.progress().listen(request.requestId(), listener);
        Sent sent = submit(request, after);
        var unusedAcknowledgement = sent.acknowledged().thenRun(registration::acknowledged);
        var unusedEnd = sent.outcome()
                .whenComplete((outcome, failure) -> readers.progress().forget(registration));
        return sent;
    }

    /**
     * Sends a request and follows it as {@link #follow(RenameRequest, List, ProgressListener)} does, without
     * predecessors and without a listener.
     */
    public Followed follow(RenameRequest request) {
        return follow(request, List.of(), new ProgressListener() {});
    }

    /**
     * Sends a request. Returns the futures of {@link #submit(RenameRequest, List, ProgressListener)} and a future of
     * the decision. The documents of a decided rename move afterwards, which may take long.
     *
     * <p>The first call connects to the progress topic. It returns when the end of the topic is known, after five
     * seconds at the latest. It waits for this, because the report of the commit is sent only once. If no report is
     * read, the outcome completes the future of the decision.
     */
    public Followed follow(RenameRequest request, List<String> after, ProgressListener listener) {
        readers.progress().begin(PROGRESS);
        AwaitedDecision decision = new AwaitedDecision();
        Listening.Registration registration = readers.progress().listen(request.requestId(), decision);
        Sent sent = submit(request, after, listener);
        var unusedOutcome = sent.outcome().whenComplete(decision::ended);
        var unusedDecision = decision.decided()
                .whenComplete((time, failure) -> readers.progress().forget(registration));
        return new Followed(sent, decision.decided());
    }

    /**
     * Sends a request. The future completes when Kafka has acknowledged it: from then on it will be processed or
     * rejected.
     */
    public CompletableFuture<Void> publish(RenameRequest request) {
        return publish(request, List.of());
    }

    /**
     * Sends a request that must begin after other requests have ended, as {@link #submit(RenameRequest, List)} does.
     * The future completes when Kafka has acknowledged it.
     */
    public CompletableFuture<Void> publish(RenameRequest request, List<String> after) {
        Optional<String> problem = problem(request, after);
        return problem.isPresent()
                ? CompletableFuture.failedFuture(new IllegalArgumentException(problem.get()))
                : dispatch.send(request, after);
    }

    /** Closes the producer within ten seconds, see {@link #close(Duration)}. */
    @Override
    public void close() {
        close(CLOSE);
    }

    /**
     * Waits for outstanding acknowledgements, not for outcomes: futures that still wait fail with a
     * {@link NoOutcomeException}. Their renames continue. Some requests may not be sent in time, because Kafka did not
     * acknowledge earlier requests that they overlap. Such a request has no effect. Returns after the timeout plus one
     * second at the latest.
     */
    public void close(Duration timeout) {
        Deadline deadline = new Deadline(time, timeout);
        dispatch.close(deadline);
        waiting.end(new NoOutcomeException(
                "the producer was closed before the outcome arrived; the rename may still be processed; send the same"
                        + " request again to receive its outcome"));
        readers.progress().stop();
        readers.outcomes().stop(deadline.left());
    }

    private static Optional<String> problem(RenameRequest request, List<String> after) {
        return RequestIds.problem(request.requestId())
                .or(() -> RequestCodec.afterProblem(request.requestId(), after))
                .or(() -> isWellFormed(request)
                        ? Optional.empty()
                        : Optional.of("request " + request.requestId()
                                + " contains a lone surrogate, which would be sent as another character"));
    }

    private static boolean isWellFormed(RenameRequest request) {
        CharsetEncoder encoder = StandardCharsets.UTF_8.newEncoder();
        return Stream.of(request.namespace(), request.source(), request.destination(), orEmpty(request.requestedBy()))
                .allMatch(encoder::canEncode);
    }

    private static String orEmpty(@Nullable String text) {
        return Objects.requireNonNullElse(text, "");
    }
}
