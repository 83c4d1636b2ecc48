package org.treerename.worker;

import java.nio.charset.StandardCharsets;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.treerename.rename.Outcomes;
import org.treerename.runtime.Time;
import org.treerename.wire.CloudEventHeaders;
import org.treerename.wire.Topics;

/** Outcomes in the topic {@link Topics#OUTCOMES}, keyed by request id. */
final class KafkaOutcomes implements Outcomes {

    private final KafkaSender sender;
    private final Time time;

    KafkaOutcomes(KafkaSender sender, Time time) {
        this.sender = sender;
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
                CloudEventHeaders.of(CloudEventHeaders.ENDED, requestId, "/rename-worker", time.now())));
    }
}
