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
import org.treerename.kafka.CloudEventHeaders;
import org.treerename.kafka.RequestCodec;
import org.treerename.kafka.TraceHeaders;
import org.treerename.observe.CurrentTrace;
import org.treerename.request.ParsedRequest.RenameRequest;
import org.treerename.runtime.Time;

/**
 * Sends requests to Kafka in the order that {@link OpenRequests} keeps. If a request can be sent at once, the thread of
 * the caller sends it. Otherwise, another thread sends it later. Any thread may call this class.
 */
final class Dispatch {

    private static final String EVENT_SOURCE = "/rename-producer";

    private final Producer<String, byte[]> producer;
    private final String topic;
    private final Function<String, Ordering> orderings;
    private final OpenRequests open;
    private final Time time;

    /**
     * @param topic the topic of the requests
     * @param orderings returns the ordering of a namespace by its name
     */
    Dispatch(
            Producer<String, byte[]> producer,
            String topic,
            Function<String, Ordering> orderings,
            OpenRequests open,
            Time time) {
        this.producer = producer;
        this.topic = topic;
        this.orderings = orderings;
        this.open = open;
        this.time = time;
    }

    /**
     * Sends a request as soon as the order of the requests permits.
     *
     * @param after the ids of the requests that must end before this request begins
     * @return a future that completes when Kafka has acknowledged the request, or fails with a
     *     {@link NoOutcomeException}
     */
    CompletableFuture<Void> send(RenameRequest request, List<String> after) {
        sendLater(open.forgotten());
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
            sendNow(added);
        }
        return added.reported();
    }

    /** Selects the partition as a Kafka producer does by default, with the current number of partitions. */
    private int partitionOf(RenameRequest request, String key) {
        try {
            int partitions = producer.partitionsFor(topic).size();
            return Utils.toPositive(Utils.murmur2(key.getBytes(StandardCharsets.UTF_8))) % partitions;
        } catch (KafkaException | IllegalStateException e) {
            throw new NoOutcomeException("request " + request.requestId() + " was not sent: " + e.getMessage(), e);
        }
    }

    /** The request must contain the trace, because another thread may send the request. */
    private static RenameRequest inTrace(RenameRequest request) {
        return request.trace() == null ? request.in(CurrentTrace.get().orElse(null)) : request;
    }

    /** Sends the requests that waited for this request. The caller has read the outcome of this request. */
    void ended(String requestId) {
        sendLater(open.ended(requestId));
    }

    /**
     * Waits until all requests have been sent, or until the deadline. Then fails the futures of the requests that still
     * wait, and closes the Kafka producer.
     */
    void close(Deadline deadline) {
        deadline.await(open.close());
        open.abandoned()
                .forEach(unsent -> complete(
                        unsent,
                        new NoOutcomeException("request " + unsent.requestId() + " was not sent: the producer was"
                                + " closed before Kafka acknowledged the requests that precede this request")));
        producer.close(deadline.left());
    }

    private void sendLater(List<Outgoing> next) {
        next.forEach(outgoing -> Waiting.CALLBACKS.execute(() -> sendNow(outgoing)));
    }

    private void sendNow(Outgoing outgoing) {
        try {
            CurrentTrace.within(outgoing.request().trace(), () -> {
                var unused = producer.send(
                        eventOf(outgoing),
                        (metadata, failure) -> Waiting.CALLBACKS.execute(() -> complete(outgoing, failure)));
            });
            sendLater(open.handed(outgoing));
        } catch (RuntimeException e) {
            // complete the request, because later requests may wait for it; possible causes: the producer is closed,
            // the thread is interrupted, the record is too large, or an interceptor of the user fails
            complete(outgoing, e);
        }
    }

    private void complete(Outgoing outgoing, @Nullable Exception failure) {
        if (failure == null) {
            sendLater(open.acknowledged(outgoing));
            outgoing.reported().complete(null);
        } else {
            sendLater(open.failed(outgoing));
            outgoing.reported().completeExceptionally(notAcknowledged(outgoing.request(), failure));
        }
    }

    private ProducerRecord<String, byte[]> eventOf(Outgoing outgoing) {
        return new ProducerRecord<>(
                topic,
                outgoing.slot().partition(),
                outgoing.slot().key(),
                RequestCodec.encode(outgoing.request(), open.after(outgoing)),
                TraceHeaders.and(
                        CloudEventHeaders.of(
                                CloudEventHeaders.REQUESTED, outgoing.requestId(), EVENT_SOURCE, time.now()),
                        outgoing.request().trace()));
    }

    private static NoOutcomeException notAcknowledged(RenameRequest request, Exception failure) {
        if (failure instanceof NoOutcomeException notSent) {
            return notSent;
        }
        return new NoOutcomeException(
                "Kafka did not acknowledge request " + request.requestId() + " (" + failure.getMessage()
                        + "); Kafka may contain the request nevertheless; send the request again under the same id,"
                        + " and it is processed only once",
                failure);
    }
}
