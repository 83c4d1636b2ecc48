package org.treerename.producer.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.treerename.kafka.RequestCodec;
import org.treerename.producer.ProgressListener;
import org.treerename.producer.PublishedOutcome;
import org.treerename.producer.Sent;
import org.treerename.producer.cli.gateway.GatewayAnswer;
import org.treerename.producer.cli.gateway.GatewayClient;
import org.treerename.request.OutcomeCodec;
import org.treerename.request.ParsedRequest.RenameRequest;
import org.treerename.runtime.Time;
import org.treerename.store.NoAnswerException;

/**
 * Sends the lines of a batch to a gateway. One thread sends up to 100 requests in one call, in the order of the lines.
 * Another thread reads the states of all open requests about once a second.
 */
final class GatewayBatchSender implements BatchSender {

    private static final int MOST_REQUESTS = 100;

    /** The largest total size of the requests in one call, in bytes. The gateway accepts 256 KiB. */
    private static final int MOST_BYTES = 128 * 1024;

    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration TICK = Duration.ofMillis(100);

    private record Line(ObjectNode body, int bytes, Sent sent, ProgressListener listener) {}

    private final GatewayClient gateway;
    private final Time time;
    private final UnaryOperator<ObjectNode> adapt;
    private final BlockingQueue<Line> lines = new LinkedBlockingQueue<>();

    /** The lines without an outcome, by their request ids. Two lines may have the same request id. */
    private final Map<String, List<Line>> open = new ConcurrentHashMap<>();

    private volatile @Nullable RuntimeException failure;
    private volatile boolean closed;

    /**
     * @param adapt changes the JSON object of each request before it is sent
     */
    GatewayBatchSender(GatewayClient gateway, Time time, UnaryOperator<ObjectNode> adapt) {
        this.gateway = gateway;
        this.time = time;
        this.adapt = adapt;
        Thread.ofVirtual().name("batch-sending").start(this::sendAll);
        Thread.ofVirtual().name("batch-outcomes").start(this::readOutcomes);
    }

    @Override
    public Sent submit(RenameRequest request, List<String> after, ProgressListener listener) {
        byte[] encoded = RequestCodec.encode(request, after);
        ObjectNode body = adapt.apply((ObjectNode) GatewayClient.parsed(new String(encoded, StandardCharsets.UTF_8)));
        Sent sent = new Sent(request.requestId(), new CompletableFuture<>(), new CompletableFuture<>());
        lines.add(new Line(body, encoded.length, sent, listener));
        return sent;
    }

    private void sendAll() {
        Line kept = null;
        while (!closed) {
            List<Line> next = new ArrayList<>();
            Line line = kept == null ? poll() : kept;
            kept = null;
            int bytes = 0;
            while (line != null && kept == null) {
                next.add(line);
                bytes += line.bytes();
                line = lines.peek() == null || next.size() == MOST_REQUESTS ? null : lines.remove();
                if (line != null && bytes + line.bytes() > MOST_BYTES) {
                    kept = line;
                }
            }
            if (!next.isEmpty()) {
                send(next);
            }
        }
    }

    private @Nullable Line poll() {
        try {
            return lines.poll(TICK.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            closed = true;
            return null;
        }
    }

    private void send(List<Line> next) {
        try {
            RuntimeException before = failure;
            if (before != null) {
                throw before;
            }
            ObjectNode body = JsonNodeFactory.instance.objectNode();
            ArrayNode renames = body.putArray("renames");
            next.forEach(line -> renames.add(line.body()));
            GatewayAnswer answer = gateway.post("/v1/batches", body);
            while (answer.isBusy() && !closed) {
                time.pause(answer.retryAfter());
                answer = gateway.post("/v1/batches", body);
            }
            var unused = answer.ok();
            for (Line line : next) {
                open.merge(line.sent().requestId(), List.of(line), GatewayBatchSender::both);
                line.sent().acknowledged().complete(null);
            }
        } catch (RuntimeException e) {
            failure = e;
            next.forEach(line -> {
                line.sent().acknowledged().completeExceptionally(e);
                line.sent().outcome().completeExceptionally(e);
            });
        }
    }

    private static List<Line> both(List<Line> earlier, List<Line> later) {
        List<Line> both = new ArrayList<>(earlier);
        both.addAll(later);
        return both;
    }

    private void readOutcomes() {
        while (!closed) {
            time.pause(SECOND);
            List<String> ids = List.copyOf(open.keySet());
            for (int i = 0; i < ids.size() && !closed; i += MOST_REQUESTS) {
                read(ids.subList(i, Math.min(i + MOST_REQUESTS, ids.size())));
            }
        }
    }

    private void read(List<String> ids) {
        ObjectNode body = JsonNodeFactory.instance.objectNode();
        ids.forEach(body.putArray("request_ids")::add);
        try {
            GatewayAnswer answer = gateway.post("/v1/lookups", body);
            if (!answer.isBusy()) {
                answer.ok().path("renames").forEach(this::process);
            }
        } catch (NoAnswerException e) {
            // the renames continue without the gateway; the next read finds their outcomes
            time.pause(SECOND);
        } catch (RuntimeException e) {
            ids.forEach(id -> fail(id, e));
        }
    }

    private void process(JsonNode rename) {
        String id = rename.path("request_id").asText();
        JsonNode outcome = rename.path("outcome");
        if (outcome.isObject()) {
            String text = outcome.toString();
            PublishedOutcome published = new PublishedOutcome(OutcomeCodec.decode(text), text);
            removed(id).forEach(line -> line.sent().outcome().complete(published));
        } else {
            open.getOrDefault(id, List.of()).forEach(line -> GatewayRequestSender.report(rename, line.listener()));
        }
    }

    private void fail(String id, RuntimeException why) {
        removed(id).forEach(line -> line.sent().outcome().completeExceptionally(why));
    }

    private List<Line> removed(String id) {
        List<Line> waiting = open.remove(id);
        return waiting == null ? List.of() : waiting;
    }

    @Override
    public void close() {
        closed = true;
        gateway.close();
    }
}
