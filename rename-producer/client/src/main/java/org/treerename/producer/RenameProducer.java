package org.treerename.producer;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.treerename.request.ParsedRequest.RenameRequest;
import org.treerename.runtime.SystemTime;
import org.treerename.runtime.Time;
import org.treerename.runtime.UuidV7;

/**
 * The {@link RenameClient} that sends requests to the workers over Kafka.
 *
 * <p>If requests of one producer overlap, they are processed in the order in which they were sent, even in different
 * partitions. If the partitions differ, the record of the later request contains the id of the earlier request in
 * {@code after}. The later record is sent when Kafka has acknowledged the earlier record. A worker processes the later
 * request when the earlier request has ended. This order does not apply to a request that Kafka did not acknowledge, or
 * to a request whose outcome has not arrived for a day. For a request of another producer, the order applies only if
 * the caller gives the id of this request in {@code after}.
 *
 * <p>At most 100,000 requests of a producer may be without a known outcome, whether or not a future waits for the
 * outcome. If this limit is reached, the future of a further request fails with a {@link NoOutcomeException}.
 *
 * <p>A future also fails with this exception in these cases:
 *
 * <ul>
 *   <li>Kafka did not acknowledge the request.
 *   <li>A later version of tree rename has written the outcome in a format that this version cannot read.
 *   <li>Kafka does not permit this program to read outcomes. Then the request is not sent.
 *   <li>The producer is closed.
 * </ul>
 *
 * <p>A method that sends a request may block for {@code apiTimeout} if Kafka accepts no record.
 */
public final class RenameProducer implements RenameClient {

    /** The largest number of requests without a known outcome. The future of a further request fails. */
    public static final int MAX_WAITING = 100_000;

    /** The longest time that {@link #follow} waits for the end offsets of the progress topic. */
    private static final Duration PROGRESS = Duration.ofSeconds(5);

    private final Dispatch dispatch;
    private final Readers readers;
    private final Waiting waiting;
    private final UuidV7 ids;
    private final Time time;

    /** The readers of outcomes and progress, and the subscriptions of this producer. */
    record Readers(OutcomeReader outcomes, ProgressReader progress, Subscriptions subscriptions) {}

    RenameProducer(Dispatch dispatch, Readers readers, Waiting waiting, UuidV7 ids, Time time) {
        this.dispatch = dispatch;
        this.readers = readers;
        this.waiting = waiting;
        this.ids = ids;
        this.time = time;
    }

    /**
     * Connects to Kafka. The topics of requests and of outcomes must exist. Makes four calls to Kafka, each of which
     * takes at most {@link ProducerSettings#apiTimeout}.
     *
     * @throws CannotConnectException if there is no answer from Kafka, or if a topic is missing. The message contains
     *      the servers and the cause
     */
    public static RenameProducer connect(ProducerSettings settings) {
        return new Connection(settings, new SystemTime()).open();
    }

    @Override
    public String newRequestId() {
        return ids.next().toString();
    }

    @Override
    public Sent submit(RenameRequest request, List<String> after) {
        Optional<String> problem = RequestCheck.problem(request, after);
        if (problem.isPresent()) {
            return Sent.failed(request.requestId(), new IllegalArgumentException(problem.get()));
        }
        Optional<String> forbidden = readers.outcomes().forbidden();
        if (forbidden.isPresent()) {
            return Sent.failed(
                    request.requestId(),
                    new NoOutcomeException("request " + request.requestId() + " was not sent: " + forbidden.get()
                            + "; grant Read on this topic, or send requests without waiting for their outcomes"));
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

    @Override
    public Sent submit(RenameRequest request, List<String> after, ProgressListener listener) {
        Listening.Registration registration = readers.progress().listen(request.requestId(), listener);
        Sent sent = submit(request, after);
        var unusedAcknowledgement = sent.acknowledged().thenRun(registration::acknowledged);
        var unusedEnd = sent.outcome()
                .whenComplete((outcome, failure) -> readers.progress().forget(registration));
        return sent;
    }

    /**
     * {@inheritDoc}
     *
     * <p>The first call connects to the progress topic. This call waits for the end offsets of the topic, for at most
     * five seconds. Otherwise, the producer could miss the first report, which already contains the time of the
     * decision. If no report is read, the outcome completes the future of the decision.
     */
    @Override
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

    @Override
    public CompletableFuture<Void> publish(RenameRequest request, List<String> after) {
        Optional<String> problem = RequestCheck.problem(request, after);
        return problem.isPresent()
                ? CompletableFuture.failedFuture(new IllegalArgumentException(problem.get()))
                : dispatch.send(request, after);
    }

    @Override
    public OutcomeSubscription subscribe(OutcomeStart start, OutcomeListener listener) {
        return readers.subscriptions().open(start, listener);
    }

    /**
     * {@inheritDoc}
     *
     * <p>A request may wait until Kafka acknowledges an earlier, overlapping request. If the timeout is over before the
     * acknowledgement, the waiting request is not sent and has no effect. Returns after the timeout plus one second at
     * the latest.
     */
    @Override
    public void close(Duration timeout) {
        Deadline deadline = new Deadline(time, timeout);
        dispatch.close(deadline);
        waiting.end(new NoOutcomeException(
                "the producer was closed before the outcome arrived; the rename may still be processed; send the same"
                        + " request again to receive its outcome"));
        readers.subscriptions().close(deadline);
        readers.progress().stop();
        readers.outcomes().stop(deadline.left());
    }
}
