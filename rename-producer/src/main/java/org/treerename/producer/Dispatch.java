package org.treerename.producer;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.utils.Utils;
import org.jspecify.annotations.Nullable;
import org.treerename.rename.ParsedRequest.RenameRequest;
import org.treerename.runtime.Time;
import org.treerename.trace.CurrentTrace;
import org.treerename.wire.CloudEventHeaders;
import org.treerename.wire.Ordering;
import org.treerename.wire.RequestCodec;
import org.treerename.wire.Topics;
import org.treerename.wire.TraceHeaders;

/**
 * Hands requests to Kafka in the order that {@link OpenRequests} keeps: at once, on the thread that asks, or later, on a
 * virtual thread of its own. Any thread may call it.
 */
final class Dispatch {

    private static final String EVENT_SOURCE = "/rename-producer";

    private final Producer<String, byte[]> producer;
    private final Function<String, Ordering> orderings;
    private final OpenRequests open;
    private final Time time;

    /**
     * @param orderings by the name of a namespace
     */
    Dispatch(Producer<String, byte[]> producer, Function<String, Ordering> orderings, OpenRequests open, Time time) {
        this.producer = producer;
        this.orderings = orderings;
        this.open = open;
        this.time = time;
    }

    /**
     * Sends a request when it may go.
     *
     * @param after the ids of others that its user wants it to come after
     * @return ends when Kafka has acknowledged it, or with a {@link NoOutcomeException}
     */
    CompletableFuture<Void> send(RenameRequest request, List<String> after) {
        handLater(open.forgotten());
        Outgoing added;
        try {
            Ordering ordering = orderings.apply(request.namespace());
            String key = ordering.keyOf(request);
            Slot slot = new Slot(key, partitionOf(request, key));
            added = open.add(inTrace(request), slot, ordering.locksOf(request), after);
        } catch (NoOutcomeException e) {
            return CompletableFuture.failedFuture(e);
        }
        if (open.begin(added)) {
            hand(added);
        }
        return added.told();
    }

    /** Returns the partition in which Kafka's producers put a key by default, of those that there are now. */
    private int partitionOf(RenameRequest request, String key) {
        try {
            int partitions = producer.partitionsFor(Topics.REQUESTS).size();
            return Utils.toPositive(Utils.murmur2(key.getBytes(StandardCharsets.UTF_8))) % partitions;
        } catch (KafkaException | IllegalStateException e) {
            throw new NoOutcomeException("request " + request.requestId() + " was not sent: " + e.getMessage(), e);
        }
    }

    /** The trace is that of the thread that asks, however late the request is handed to Kafka, and by whom. */
    private static RenameRequest inTrace(RenameRequest request) {
        return request.trace() == null ? request.in(CurrentTrace.get().orElse(null)) : request;
    }

    /** An outcome of this request was read. */
    void ended(String requestId) {
        handLater(open.ended(requestId));
    }

    /** Waits until all that wait have been handed over and are acknowledged, but no longer than there is time. */
    void close(Deadline deadline) {
        deadline.await(open.close());
        open.abandoned()
                .forEach(left -> told(
                        left,
                        new IllegalStateException("the producer was closed before those that it is to come after"
                                + " were acknowledged")));
        producer.close(deadline.left());
    }

    private void handLater(List<Outgoing> next) {
        next.forEach(one -> Waiting.CALLBACKS.execute(() -> hand(one)));
    }

    private void hand(Outgoing one) {
        try {
            CurrentTrace.within(one.request().trace(), () -> {
                var unused = producer.send(
                        eventOf(one), (metadata, failure) -> Waiting.CALLBACKS.execute(() -> told(one, failure)));
            });
            handLater(open.handed(one));
        } catch (RuntimeException e) {
            // closed, interrupted, too large, or an interceptor of the user's: others wait to be told
            told(one, e);
        }
    }

    /** What Kafka says of a request; null if it has it safely. */
    private void told(Outgoing one, @Nullable Exception failure) {
        if (failure == null) {
            handLater(open.acknowledged(one));
            one.told().complete(null);
        } else {
            handLater(open.failed(one));
            one.told().completeExceptionally(notAcknowledged(one.request(), failure));
        }
    }

    private ProducerRecord<String, byte[]> eventOf(Outgoing one) {
        return new ProducerRecord<>(
                Topics.REQUESTS,
                one.slot().partition(),
                one.slot().key(),
                RequestCodec.encode(one.request(), open.after(one)),
                TraceHeaders.and(
                        CloudEventHeaders.of(CloudEventHeaders.REQUESTED, one.requestId(), EVENT_SOURCE, time.now()),
                        one.request().trace()));
    }

    private static NoOutcomeException notAcknowledged(RenameRequest request, Exception failure) {
        return new NoOutcomeException(
                "Kafka did not acknowledge request " + request.requestId() + " (" + failure.getMessage()
                        + "); it may have been written all the same, and is done once if sent again under this id",
                failure);
    }
}
