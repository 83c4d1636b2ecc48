package org.treerename.producer.http;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.treerename.producer.ProducerSettings;
import org.treerename.producer.RenameProducer;
import org.treerename.request.ParsedRequest.RenameRequest;
import org.treerename.runtime.Time;

/** Sends requests to Kafka with a {@link RenameProducer}. */
final class KafkaRequests implements Requests, AutoCloseable {

    /**
     * The time for which the gateway reports that it is not ready, after Kafka has not acknowledged a request. After
     * this time, the gateway reports that it is ready, so that load balancers send requests again.
     */
    static final Duration DOUBT = Duration.ofSeconds(15);

    private static final Duration CLOSE = Duration.ofSeconds(5);

    private final RenameProducer producer;
    private final Time time;
    private volatile Optional<Long> failedNanos = Optional.empty();

    KafkaRequests(RenameProducer producer, Time time) {
        this.producer = producer;
        this.time = time;
    }

    static KafkaRequests connect(ProducerSettings settings, Time time) {
        return new KafkaRequests(RenameProducer.connect(settings), time);
    }

    @Override
    public String newRequestId() {
        return producer.newRequestId();
    }

    @Override
    public CompletableFuture<Void> publish(RenameRequest request, List<String> after) {
        return producer.publish(request, after)
                .whenComplete((nothing, failure) ->
                        failedNanos = failure == null ? Optional.empty() : Optional.of(time.nanos()));
    }

    /** Returns the reason why Kafka is unavailable; empty if no problem is known. */
    Optional<String> problem() {
        return failedNanos
                .filter(failed -> time.nanos() - failed < DOUBT.toNanos())
                .map(failed -> "Kafka did not acknowledge the last request");
    }

    @Override
    public void close() {
        producer.close(CLOSE);
    }
}
