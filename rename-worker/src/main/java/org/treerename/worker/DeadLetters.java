package org.treerename.worker;

import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Headers;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.treerename.store.RefusedException;
import org.treerename.wire.DeadLetter;
import org.treerename.wire.Topics;

/**
 * Records that no outcome can answer, or whose request failed for what would fail it again, in the topic {@link
 * Topics#DEAD_LETTERS}: key, value and headers as they were, and why and where they came from in the headers that {@link
 * DeadLetter} names. A value that the topic is too small for is left out; it stands in the request topic.
 */
public final class DeadLetters {

    private static final Logger log = LoggerFactory.getLogger(DeadLetters.class);

    /**
     * Why a record goes there.
     *
     * @param reason a word for programs
     * @param text for people; null where the reason says it all
     */
    record Why(String reason, @Nullable String text) {
        @Override
        public String toString() {
            return text == null ? reason : reason + ", " + text;
        }
    }

    private final Consumer<ProducerRecord<byte[], byte[]>> sender;
    private final Consumer<String> kept;

    /**
     * Creates the writer of dead letters.
     *
     * @param sender returns when Kafka has acknowledged the record
     * @param kept receives the reason of each record that is kept
     */
    public DeadLetters(Consumer<ProducerRecord<byte[], byte[]>> sender, Consumer<String> kept) {
        this.sender = sender;
        this.kept = kept;
    }

    /**
     * Comes back when it is kept.
     *
     * @throws org.treerename.store.NoAnswerException if that is not known; twice does no harm
     */
    void keep(ConsumerRecord<byte[], byte[]> message, Why why) {
        try {
            sender.accept(letter(message, message.value(), why));
        } catch (RefusedException e) {
            log.error("{}: the value is left out of the dead letter: {}", message.topic(), e.getMessage());
            sender.accept(letter(message, null, why));
        }
        kept.accept(why.reason());
    }

    private static ProducerRecord<byte[], byte[]> letter(
            ConsumerRecord<byte[], byte[]> message, byte @Nullable [] value, Why why) {
        ProducerRecord<byte[], byte[]> letter =
                new ProducerRecord<>(Topics.DEAD_LETTERS, null, message.key(), value, message.headers());
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
