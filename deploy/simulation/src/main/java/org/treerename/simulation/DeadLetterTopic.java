package org.treerename.simulation;

import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.treerename.rename.Place;
import org.treerename.wire.DeadLetter;

/** The topic of the dead letters. */
final class DeadLetterTopic {

    private final Stage stage;
    private final Sending sending;
    private Watcher watcher = (place, reason) -> {};

    /** Receives each letter. */
    interface Watcher {
        void kept(Place place, String reason);
    }

    DeadLetterTopic(Stage stage, Sending sending) {
        this.stage = stage;
        this.sending = sending;
    }

    void watch(Watcher next) {
        watcher = next;
    }

    /** Keeps a letter; comes back when that is acknowledged. */
    void keep(ProducerRecord<byte[], byte[]> letter) {
        Place place = new Place(
                header(letter, DeadLetter.TOPIC),
                Integer.parseInt(header(letter, DeadLetter.PARTITION)),
                Long.parseLong(header(letter, DeadLetter.OFFSET)));
        String reason = header(letter, DeadLetter.REASON);
        sending.send("the dead letter of " + place, () -> {
            stage.happened(
                    Happening.DEAD_LETTER,
                    stage.scheduler().current().actor().name(),
                    () -> "keeps the dead letter of " + place + ": " + reason);
            watcher.kept(place, reason);
        });
    }

    private static String header(ProducerRecord<byte[], byte[]> letter, String name) {
        return new String(
                Objects.requireNonNull(letter.headers().lastHeader(name), name).value(), StandardCharsets.UTF_8);
    }
}
