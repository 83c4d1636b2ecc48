package org.treerename.worker;

import java.time.Instant;
import java.util.function.Function;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.treerename.rename.Carrier;
import org.treerename.rename.Delivery;
import org.treerename.rename.LogContext;
import org.treerename.rename.Place;
import org.treerename.rename.Renamer.Answer;
import org.treerename.wire.RequestCodec.Decoded;

/** Carries one record to its end: to its outcome, or to the dead letters. Any number of threads may call it. */
final class Carriage {

    private static final Logger log = LoggerFactory.getLogger(Carriage.class);

    /** The end of the year 9999: where a topic takes its producers' time stamps, any number may come. */
    private static final long LATEST_MILLIS = 253_402_300_799_999L;

    private final DeadLetters deadLetters;
    private final Carrier carrier;

    Carriage(DeadLetters deadLetters, Carrier carrier) {
        this.deadLetters = deadLetters;
        this.carrier = carrier;
    }

    /** Whether the offset may be let go. Every line that is logged meanwhile tells of which rename it is. */
    boolean carry(Taken taken, Function<Delivery, Answer> renamer) {
        if (!(taken.decoded() instanceof Decoded.Usable usable)) {
            return carried(taken, renamer);
        }
        try (LogContext context = LogContext.of(carrier.processId(), usable.asked())) {
            return carried(taken, renamer);
        }
    }

    private boolean carried(Taken taken, Function<Delivery, Answer> renamer) {
        return switch (taken.decoded()) {
            case Decoded.Unusable unusable -> keep(taken, unusable.reason());
            case Decoded.Usable usable ->
                switch (renamer.apply(delivery(taken.message(), usable))) {
                    case Answer.Published published -> true;
                    case Answer.Parked parked -> true;
                    case Answer.Reused reused -> keep(taken, "request_id_reused");
                    case Answer.Stopped stopped -> false;
                };
        };
    }

    private static Delivery delivery(ConsumerRecord<byte[], byte[]> message, Decoded.Usable usable) {
        Place place = new Place(message.topic(), message.partition(), message.offset());
        Instant appendedAt = Instant.ofEpochMilli(Math.clamp(message.timestamp(), 0, LATEST_MILLIS));
        return new Delivery(usable.asked(), usable.digest(), place, appendedAt);
    }

    private boolean keep(Taken taken, String reason) {
        carrier.persist("the dead letter of " + taken, () -> deadLetters.keep(taken.message(), reason));
        log.warn("{} went to the dead letters: {}", taken, reason);
        return true;
    }
}
