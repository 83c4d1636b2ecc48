package org.treerename.kafka;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.treerename.installation.Installation;
import org.treerename.request.Outcomes;
import org.treerename.request.TraceContext;
import org.treerename.runtime.Time;

/** Publishes outcomes in the topic {@link Installation#outcomes}. The key of each record is the request id. */
public final class KafkaOutcomes implements Outcomes {

    private final KafkaSender sender;
    private final String topic;
    private final String source;
    private final Time time;
    private final Supplier<Optional<TraceContext>> trace;

    /**
     * @param topic the topic of the outcomes
     * @param source the service that publishes the outcomes
     * @param trace returns the trace context of the thread that publishes an outcome
     */
    public KafkaOutcomes(
            KafkaSender sender, String topic, String source, Time time, Supplier<Optional<TraceContext>> trace) {
        this.sender = sender;
        this.topic = topic;
        this.source = source;
        this.time = time;
        this.trace = trace;
    }

    @Override
    public void publish(String requestId, String outcome) {
        byte[] key = requestId.getBytes(StandardCharsets.UTF_8);
        byte[] value = outcome.getBytes(StandardCharsets.UTF_8);
        sender.send(new ProducerRecord<>(
                topic,
                null,
                null,
                key,
                value,
                TraceHeaders.and(
                        CloudEventHeaders.of(CloudEventHeaders.ENDED, requestId, source, time.now()),
                        trace.get().orElse(null))));
    }
}
