package org.treerename.wire;

import java.nio.charset.StandardCharsets;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.treerename.rename.Outcomes;
import org.treerename.runtime.Time;

/** Outcomes in the topic {@link Topics#OUTCOMES}, keyed by request id. */
public final class KafkaOutcomes implements Outcomes {

    private final KafkaSender sender;
    private final String source;
    private final Time time;

    public KafkaOutcomes(KafkaSender sender, String source, Time time) {
        this.sender = sender;
        this.source = source;
        this.time = time;
    }

    @Override
    public void publish(String requestId, String outcome) {
        byte[] key = requestId.getBytes(StandardCharsets.UTF_8);
        byte[] value = outcome.getBytes(StandardCharsets.UTF_8);
        sender.send(new ProducerRecord<>(
                Topics.OUTCOMES,
                null,
                null,
                key,
                value,
                CloudEventHeaders.of(CloudEventHeaders.ENDED, requestId, source, time.now())));
    }
}
