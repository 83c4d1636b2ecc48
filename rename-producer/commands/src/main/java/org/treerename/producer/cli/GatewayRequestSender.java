package org.treerename.producer.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;
import org.treerename.kafka.RequestCodec;
import org.treerename.producer.ProgressListener;
import org.treerename.producer.PublishedOutcome;
import org.treerename.producer.cli.gateway.GatewayAnswer;
import org.treerename.producer.cli.gateway.GatewayClient;
import org.treerename.request.DecisionTime;
import org.treerename.request.OutcomeCodec;
import org.treerename.request.ParsedRequest.RenameRequest;
import org.treerename.request.RenameProgress;
import org.treerename.request.Status;
import org.treerename.runtime.Time;
import org.treerename.runtime.UuidV7;
import org.treerename.store.NoAnswerException;
import org.treerename.store.RefusedException;

/**
 * Sends renames to a gateway, and follows their events. If the stream of events ends early, the sender connects again.
 * The gateway then sends the current state of the rename.
 */
final class GatewayRequestSender implements RequestSender {

    private static final Duration RECONNECT = Duration.ofSeconds(1);
    private static final int OK = 200;

    private final GatewayClient gateway;
    private final Time time;
    private final boolean namesRequester;
    private final UuidV7 ids;
    private final AtomicBoolean closed = new AtomicBoolean();

    /** The failure of the last try to read events; null if the last try succeeded. */
    private volatile @Nullable String trouble;

    /**
     * @param namesRequester whether the requests contain the name of the user; otherwise the gateway sets the name of
     *     the token's owner
     */
    GatewayRequestSender(GatewayClient gateway, Time time, boolean namesRequester) {
        this.gateway = gateway;
        this.time = time;
        this.namesRequester = namesRequester;
        this.ids = new UuidV7(time, new SecureRandom());
    }

    @Override
    public String newRequestId() {
        return ids.next().toString();
    }

    @Override
    public String acknowledger() {
        return "the gateway";
    }

    @Override
    public CompletableFuture<Void> publish(RenameRequest request, List<String> after) {
        CompletableFuture<Void> acknowledged = new CompletableFuture<>();
        start(acknowledged, () -> {
            post(request, after);
            acknowledged.complete(null);
        });
        return acknowledged;
    }

    @Override
    public CompletableFuture<PublishedOutcome> submit(
            RenameRequest request, List<String> after, ProgressListener listener) {
        CompletableFuture<PublishedOutcome> outcome = new CompletableFuture<>();
        start(outcome, () -> {
            post(request, after);
            followUntilEnd(request.requestId(), listener, outcome);
        });
        return outcome;
    }

    /**
     * Returns a future that completes with the outcome of a request. The gateway must already have accepted the
     * request.
     */
    CompletableFuture<PublishedOutcome> outcome(String requestId, ProgressListener listener) {
        CompletableFuture<PublishedOutcome> outcome = new CompletableFuture<>();
        start(outcome, () -> followUntilEnd(requestId, listener, outcome));
        return outcome;
    }

    private void followUntilEnd(
            String requestId, ProgressListener listener, CompletableFuture<PublishedOutcome> outcome) {
        follow(requestId, (name, data) -> {
            if (name.equals("outcome")) {
                outcome.complete(published(data));
                return false;
            }
            if (name.equals("progress")) {
                report(GatewayClient.parsed(data), listener);
            }
            return true;
        });
    }

    static void report(JsonNode rename, ProgressListener listener) {
        if (rename.hasNonNull("committed_at")) {
            listener.progressed(new RenameProgress(
                    rename.path("request_id").asText(),
                    rename.path("moved").asLong(),
                    rename.path("expected").asLong(),
                    rename.path("passes").asInt(),
                    rename.path("process_id").asText(),
                    false,
                    null,
                    rename.path("parked").textValue()));
        }
    }

    @Override
    public CompletableFuture<FirstResult> follow(RenameRequest request, List<String> after) {
        CompletableFuture<FirstResult> first = new CompletableFuture<>();
        start(first, () -> {
            post(request, after);
            follow(request.requestId(), (name, data) -> {
                switch (name) {
                    case "decided" -> first.complete(new FirstResult.Decided(decision(GatewayClient.parsed(data))));
                    case "outcome" -> first.complete(ended(published(data)));
                    default -> {
                        return true;
                    }
                }
                return false;
            });
        });
        return first;
    }

    private static DecisionTime decision(JsonNode data) {
        return new DecisionTime(
                Instant.parse(data.path("requested_at").asText()),
                Instant.parse(data.path("committed_at").asText()));
    }

    private static FirstResult ended(PublishedOutcome published) {
        return DecisionTime.of(published.outcome())
                .filter(time -> published.outcome().status() == Status.COMPLETED)
                .<FirstResult>map(FirstResult.Decided::new)
                .orElseGet(() -> new FirstResult.Ended(published));
    }

    private PublishedOutcome published(String json) {
        return new PublishedOutcome(OutcomeCodec.decode(json), json);
    }

    private void post(RenameRequest request, List<String> after) {
        String encoded = new String(RequestCodec.encode(request, after), StandardCharsets.UTF_8);
        ObjectNode body = (ObjectNode) GatewayClient.parsed(encoded);
        if (!namesRequester) {
            body.remove("requested_by");
        }
        var unused = gateway.post("/v1/renames", body).ok();
    }

    private void follow(String requestId, BiPredicate<String, String> more) {
        String path = "/v1/renames/" + GatewayClient.encoded(requestId) + "/events";
        AtomicBoolean done = new AtomicBoolean();
        while (!done.get() && !closed.get()) {
            Duration pause = RECONNECT;
            try {
                GatewayAnswer answer = gateway.events(path, (name, data) -> {
                    trouble = null;
                    boolean goesOn = more.test(name, data);
                    done.set(!goesOn);
                    return goesOn;
                });
                if (answer.isBusy()) {
                    pause = answer.retryAfter();
                } else if (answer.status() != OK) {
                    var unused = answer.ok();
                }
            } catch (RefusedException e) {
                // the gateway has already accepted the request, so the request may still be processed
                throw new NoAnswerException("cannot read the events of the rename: " + e.getMessage(), e);
            } catch (NoAnswerException e) {
                // the rename continues without the gateway; the user's timeout limits the retries
                trouble = e.getMessage();
            }
            if (!done.get() && !closed.get()) {
                time.pause(pause);
            }
        }
    }

    private static void start(CompletableFuture<?> result, Runnable work) {
        var unused = Thread.ofVirtual().name("gateway").start(() -> {
            try {
                work.run();
            } catch (RuntimeException e) {
                result.completeExceptionally(e);
            }
        });
    }

    @Override
    public Optional<String> trouble() {
        return Optional.ofNullable(trouble);
    }

    @Override
    public void close() {
        closed.set(true);
        gateway.close();
    }
}
