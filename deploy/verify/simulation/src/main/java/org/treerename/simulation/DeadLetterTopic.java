package org.treerename.simulation;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.record.TimestampType;
import org.treerename.installation.Installation;
import org.treerename.kafka.DeadLetter;
import org.treerename.request.RecordPosition;

/** Stores the dead letters of a run in place of Kafka's topic, and passes each dead letter to a watcher. */
final class DeadLetterTopic {

    private final Stage stage;
    private final Sending sending;
    private final List<DeadLetter> letters = new ArrayList<>();
    private Watcher watcher = (place, reason) -> {};

    /** Receives the position of the original record and the reason, after the topic has stored the dead letter. */
    interface Watcher {
        void kept(RecordPosition place, String reason);
    }

    DeadLetterTopic(Stage stage, Sending sending) {
        this.stage = stage;
        this.sending = sending;
    }

    void watch(Watcher next) {
        watcher = next;
    }

    /** Returns all dead letters of the topic, in the order of the topic. */
    List<DeadLetter> letters() {
        return List.copyOf(letters);
    }

    private ConsumerRecord<byte[], byte[]> received(ProducerRecord<byte[], byte[]> letter) {
        return new ConsumerRecord<>(
                Installation.DEFAULT.deadLetters(),
                0,
                letters.size(),
                World.START.toEpochMilli(),
                TimestampType.LOG_APPEND_TIME,
                0,
                letter.value() == null ? 0 : letter.value().length,
                letter.key(),
                letter.value(),
                letter.headers(),
                Optional.empty());
    }

    /** Writes a dead letter. Returns when the write is acknowledged. */
    void keep(ProducerRecord<byte[], byte[]> letter) {
        RecordPosition place = new RecordPosition(
                header(letter, DeadLetter.TOPIC),
                Integer.parseInt(header(letter, DeadLetter.PARTITION)),
                Long.parseLong(header(letter, DeadLetter.OFFSET)));
        String reason = header(letter, DeadLetter.REASON);
        sending.send("the dead letter of " + place, () -> {
            stage.happened(
                    Happening.DEAD_LETTER,
                    stage.scheduler().current().actor().name(),
                    () -> "writes the dead letter of " + place + ": " + reason);
            letters.add(new DeadLetter(received(letter)));
            watcher.kept(place, reason);
        });
    }

    private static String header(ProducerRecord<byte[], byte[]> letter, String name) {
        return new String(
                Objects.requireNonNull(letter.headers().lastHeader(name), name).value(), StandardCharsets.UTF_8);
    }
}
