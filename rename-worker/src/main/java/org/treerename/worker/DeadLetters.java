package org.treerename.worker;

import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Headers;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.treerename.installation.Installation;
import org.treerename.kafka.DeadLetter;
import org.treerename.store.RefusedException;

/**
 * Copies records to the topic {@link Installation#deadLetters}. A record is copied if no outcome can answer it, or if
 * its request would fail again for the same cause. The copy has the same key, value and headers. Additional headers
 * contain the reason and the position of the record (see {@link DeadLetter}). The copy omits a value that is too large
 * for the topic. The value remains in the request topic.
 */
public final class DeadLetters {

    private static final Logger log = LoggerFactory.getLogger(DeadLetters.class);

    /**
     * The reason why a record is copied.
     *
     * @param reason the code that programs read
     * @param text the explanation for people; null if the reason needs no explanation
     */
    record Why(String reason, @Nullable String text) {
        @Override
        public String toString() {
            return text == null ? reason : reason + ", " + text;
        }
    }

    private final String topic;
    private final Consumer<ProducerRecord<byte[], byte[]>> sender;
    private final Consumer<String> onKept;

    /**
     * @param topic the topic of the dead letters
     * @param sender sends a record, and blocks until Kafka has acknowledged the record
     * @param onKept the callback that receives the reason for each copied record
     */
    public DeadLetters(String topic, Consumer<ProducerRecord<byte[], byte[]>> sender, Consumer<String> onKept) {
        this.topic = topic;
        this.sender = sender;
        this.onKept = onKept;
    }

    /**
     * Copies a record, and blocks until Kafka has acknowledged the copy.
     *
     * @throws org.treerename.store.NoAnswerException if it is unknown whether the copy was written; a second copy does
     *     no harm
     */
    void keep(ConsumerRecord<byte[], byte[]> message, Why why) {
        try {
            sender.accept(letter(message, message.value(), why));
        } catch (RefusedException e) {
            log.error(
                    "{}-{}@{}: Kafka refuses the dead letter: {}; retrying without the value",
                    message.topic(),
                    message.partition(),
                    message.offset(),
                    e.getMessage());
            sender.accept(letter(message, null, why));
        }
        onKept.accept(why.reason());
    }

    private ProducerRecord<byte[], byte[]> letter(
            ConsumerRecord<byte[], byte[]> message, byte @Nullable [] value, Why why) {
        ProducerRecord<byte[], byte[]> letter =
                new ProducerRecord<>(topic, null, message.key(), value, message.headers());
        Headers headers = letter.headers();
        add(headers, DeadLetter.REASON, why.reason());
        if (why.text() != null) {
            add(headers, DeadLetter.MESSAGE, why.text());
        }
        add(headers, DeadLetter.TOPIC, message.topic());
        add(headers, DeadLetter.PARTITION, String.valueOf(message.partition()));
        add(headers, DeadLetter.OFFSET, String.valueOf(message.offset()));
        return letter;
    }

    private static void add(Headers headers, String key, String value) {
        headers.add(key, value.getBytes(StandardCharsets.UTF_8));
    }
}
