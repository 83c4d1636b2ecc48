package org.treerename.worker;

import java.nio.charset.StandardCharsets;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Headers;
import org.treerename.wire.KafkaSender;
import org.treerename.wire.Topics;

/**
 * Records that no outcome can answer, in the topic {@link Topics#DEAD_LETTERS}: key, value and headers as they were, and why
 * and where they came from in the headers {@code dlt-reason}, {@code dlt-topic}, {@code dlt-partition} and {@code
 * dlt-offset}.
 */
final class DeadLetters {

    private final KafkaSender sender;

    DeadLetters(KafkaSender sender) {
        this.sender = sender;
    }

    /**
     * Comes back when it is kept.
     *
     * @throws org.treerename.store.NoAnswerException if that is not known; twice does no harm
     */
    void keep(ConsumerRecord<byte[], byte[]> message, String reason) {
        ProducerRecord<byte[], byte[]> letter =
                new ProducerRecord<>(Topics.DEAD_LETTERS, null, message.key(), message.value(), message.headers());
        Headers headers = letter.headers();
        add(headers, "dlt-reason", reason);
        add(headers, "dlt-topic", message.topic());
        add(headers, "dlt-partition", String.valueOf(message.partition()));
        add(headers, "dlt-offset", String.valueOf(message.offset()));
        sender.send(letter);
    }

    private static void add(Headers headers, String key, String value) {
        headers.add(key, value.getBytes(StandardCharsets.UTF_8));
    }
}
