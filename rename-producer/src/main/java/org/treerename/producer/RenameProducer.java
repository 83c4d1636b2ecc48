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
import org.treerename.rename.Outcome;
import org.treerename.rename.ParsedRequest.RenameRequest;
import org.treerename.rename.RequestIds;
import org.treerename.runtime.SystemTime;
import org.treerename.runtime.Time;
import org.treerename.runtime.UuidV7;
import org.treerename.wire.RequestCodec;

/**
 * Asks for renames and tells how they ended. Any thread may call it; make one and keep it.
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
 * <p>A request is done once however often it is sent under the same id. So who does not hear of an outcome in time, or
 * gets a {@link NoOutcomeException}, sends the same request again, with this producer or another one: the outcome is
 * published again. Store the id before you send, and you can ask again after a crash of your own.
 *
 * <p>Requests that one producer sends one after the other are carried out in that order wherever they overlap, also where
 * they come into different partitions: the record of the later one then names the earlier one in {@code after}, and leaves
 * once Kafka has acknowledged that one. A worker holds it back until the earlier one has ended, however. No order is kept
 * with a request that Kafka did not acknowledge, with one of which no outcome has come for a day, and with those of other
 * producers but for the ids that are given. Not sent is a request that would be the hundred thousand and first whose end
 * is not known; that its outcome is awaited makes no difference.
 *
 * <p>A request that is rejected or failed is an outcome. A future ends exceptionally only where no outcome can come: with
 * a {@link NoOutcomeException} if Kafka did not acknowledge the request, if its outcome is of a later version that this
 * one cannot read, and when the producer is closed; with an {@link IllegalArgumentException} if the request can have no
 * outcome (its id is none). No method waits for an outcome; sending can wait for {@code apiTimeout} where Kafka takes
 * nothing. What is hung on to a future runs on a virtual thread.
 */
public final class RenameProducer implements AutoCloseable {

    /** How many requests may wait for their outcomes; one more is not sent. */
    public static final int MAX_WAITING = 100_000;

    /** How long a request that is followed waits until progress is read. */
    private static final Duration PROGRESS = Duration.ofSeconds(5);

    private static final Duration CLOSE = Duration.ofSeconds(10);

    private final Dispatch dispatch;
    private final Readers readers;
    private final Waiting waiting;
    private final UuidV7 ids;
    private final Time time;

    /** Who reads what comes back. */
    record Readers(OutcomeReader outcomes, ProgressReader progress) {}

    RenameProducer(Dispatch dispatch, Readers readers, Waiting waiting, UuidV7 ids, Time time) {
        this.dispatch = dispatch;
        this.readers = readers;
        this.waiting = waiting;
        this.ids = ids;
        this.time = time;
    }

    /**
     * Connects; both topics must exist. Takes no longer than twice {@link ProducerSettings#apiTimeout}.
     *
     * @throws CannotConnectException naming the servers and what is missing
     */
    public static RenameProducer connect(ProducerSettings settings) {
        return new Connection(settings, new SystemTime()).open();
    }

    /** A new request id: a UUID of version 7, so that ids sort by the time at which they were made. */
    public String newRequestId() {
        return ids.next().toString();
    }

    /** A request to be completed and sent, with a new request id. */
    public RequestBuilder rename(String source, String destination) {
        return new RequestBuilder(newRequestId(), source, destination);
    }

    /** Sends a request; the future ends with its outcome, whatever the status. Cancelling it ends only the waiting. */
    public CompletableFuture<Outcome> send(RenameRequest request) {
        return outcomeOf(submit(request));
    }

    /** The same, and tells a listener how far it has come until the future ends. */
    public CompletableFuture<Outcome> send(RenameRequest request, ProgressListener listener) {
        return outcomeOf(submit(request, List.of(), listener));
    }

    private static CompletableFuture<Outcome> outcomeOf(Sent sent) {
        CompletableFuture<PublishedOutcome> published = sent.outcome();
        CompletableFuture<Outcome> outcome = published.thenApply(PublishedOutcome::outcome);
        // a time-out or a cancellation of theirs reaches what waits here, or it would wait for ever
        var unused = outcome.whenComplete((ended, failure) -> published.cancel(false));
        return outcome;
    }

    /** Sends a request and waits for both, Kafka's acknowledgement and the outcome. */
    public Sent submit(RenameRequest request) {
        return submit(request, List.of());
    }

    /**
     * Sends a request that is to begin when others have ended, however, and waits for both.
     *
     * @param after the ids of at most {@link RequestCodec#MAX_AFTER} requests, of any producer; where the journal knows
     *     nothing of one of them for long, this one is rejected
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

    /** The same as {@link #submit(RenameRequest, List)}, and tells a listener how far it has come until the outcome ends. */
    public Sent submit(RenameRequest request, List<String> after, ProgressListener listener) {
        Listening.Registration registration = readers.progress().listen(request.requestId(), listener);
        Sent sent = submit(request, after);
        var unusedAcknowledgement = sent.acknowledged().thenRun(registration::acknowledged);
        var unusedEnd = sent.outcome()
                .whenComplete((outcome, failure) -> readers.progress().forget(registration));
        return sent;
    }

    /** Sends a request and follows it: {@link #follow(RenameRequest, List, ProgressListener)} after nothing, with no listener. */
    public Followed follow(RenameRequest request) {
        return follow(request, List.of(), new ProgressListener() {});
    }

    /**
     * Sends a request and waits until it is decided, in addition to what {@link #submit(RenameRequest, List, ProgressListener)}
     * waits for. The documents of a decided rename follow, however long their move takes.
     *
     * <p>The first call connects to the progress topic, and returns when its end is known, after five seconds at the latest: the report of
     * the commit comes once. If no report is read, the outcome ends the wait.
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

    /** Sends a request and waits for nothing but Kafka's acknowledgement: from then on it will be dealt with. */
    public CompletableFuture<Void> publish(RenameRequest request) {
        return publish(request, List.of());
    }

    /** The same, of a request that is to begin when others have ended, as in {@link #submit(RenameRequest, List)}. */
    public CompletableFuture<Void> publish(RenameRequest request, List<String> after) {
        Optional<String> problem = problem(request, after);
        return problem.isPresent()
                ? CompletableFuture.failedFuture(new IllegalArgumentException(problem.get()))
                : dispatch.send(request, after);
    }

    /** Closes within ten seconds. */
    @Override
    public void close() {
        close(CLOSE);
    }

    /**
     * Waits for the acknowledgements that are still to come, not for outcomes: futures that still wait end with a
     * {@link NoOutcomeException}. Their renames go on, but for those that could not be sent in time because others that they
     * overlap were not acknowledged. Returns after this long at most, and a second.
     */
    public void close(Duration timeout) {
        Deadline deadline = new Deadline(time, timeout);
        dispatch.close(deadline);
        waiting.end(new NoOutcomeException(
                "the producer was closed before the outcome came; the rename may still be carried out, and the same"
                        + " request sent again tells its outcome"));
        readers.progress().stop();
        readers.outcomes().stop(deadline.left());
    }

    private static Optional<String> problem(RenameRequest request, List<String> after) {
        return RequestIds.problem(request.requestId())
                .or(() -> RequestCodec.afterProblem(request.requestId(), after))
                .or(() -> isWellFormed(request)
                        ? Optional.empty()
                        : Optional.of("request " + request.requestId()
                                + " holds a lone surrogate, which would be sent as another character"));
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
