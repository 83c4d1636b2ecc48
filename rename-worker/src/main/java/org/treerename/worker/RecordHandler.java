package org.treerename.worker;

import java.time.Instant;
import java.util.function.Function;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.treerename.rename.Delivery;
import org.treerename.rename.LogContext;
import org.treerename.rename.Outcome;
import org.treerename.rename.ProcessContext;
import org.treerename.rename.Reason;
import org.treerename.rename.RecordPosition;
import org.treerename.rename.Renamer.Answer;
import org.treerename.rename.Status;
import org.treerename.rename.UnmetDependency;
import org.treerename.wire.JsonOutcomeCodec;
import org.treerename.wire.RequestCodec.Decoded;
import org.treerename.worker.DeadLetters.Why;

/**
 * Carries one record to its end: to its outcome, or to the dead letters, or to both. Any number of threads may call it.
 *
 * <ol>
 *   <li>the request ends, and its outcome is published: if we die here, or a janitor brought it there, the record is
 *       delivered again and answered from the journal;
 *   <li>where it failed for what would fail it again, the record is kept as a dead letter: if we die here, once more;
 *   <li>only then the offset may be let go.
 * </ol>
 */
final class RecordHandler {

    private static final Logger log = LoggerFactory.getLogger(RecordHandler.class);

    /** The end of the year 9999: where a topic takes its producers' time stamps, any number may come. */
    private static final long LATEST_MILLIS = 253_402_300_799_999L;

    private final DeadLetters deadLetters;
    private final ProcessContext context;

    RecordHandler(DeadLetters deadLetters, ProcessContext context) {
        this.deadLetters = deadLetters;
        this.context = context;
    }

    /**
     * Carries one record and returns how that ended. Every line that is logged meanwhile names the rename.
     *
     * @param unmet one that it names in {@code after} and that did not end in time; null if there is none
     */
    RecordResult carry(ReceivedRecord taken, @Nullable UnmetDependency unmet, Function<Delivery, Answer> renamer) {
        if (!(taken.decoded() instanceof Decoded.Usable usable)) {
            return carried(taken, unmet, renamer);
        }
        try (LogContext logContext = LogContext.of(context.processId(), usable.asked())) {
            return carried(taken, unmet, renamer);
        }
    }

    private RecordResult carried(
            ReceivedRecord taken, @Nullable UnmetDependency unmet, Function<Delivery, Answer> renamer) {
        return switch (taken.decoded()) {
            case Decoded.Unusable unusable -> {
                keep(taken, new Why(unusable.reason(), null));
                yield RecordResult.DEAD_LETTER;
            }
            case Decoded.Usable usable ->
                switch (renamer.apply(delivery(taken.message(), usable, unmet))) {
                    case Answer.Published published -> published(taken, published.outcome());
                    case Answer.Parked parked -> RecordResult.PARKED;
                    case Answer.Reused reused -> {
                        keep(taken, new Why("request_id_reused", null));
                        yield RecordResult.DEAD_LETTER;
                    }
                    case Answer.Unanswerable no -> {
                        keep(taken, new Why("no_outcome", no.why()));
                        yield RecordResult.DEAD_LETTER;
                    }
                    case Answer.Stopped stopped -> RecordResult.GIVEN_BACK;
                };
        };
    }

    /** Keeps a dead letter if the outcome asks for one. It depends on the outcome alone, so it is the same if another process ended the request. */
    private RecordResult published(ReceivedRecord taken, String text) {
        Outcome outcome;
        try {
            outcome = new JsonOutcomeCodec().decode(text);
        } catch (IllegalArgumentException e) {
            log.warn("an outcome of a later version is not looked at: {}", e.getMessage());
            return RecordResult.UNREADABLE_OUTCOME;
        }
        Reason reason = outcome.reason();
        if (outcome.status() == Status.FAILED && reason != null && reason.isRepeatedByItself()) {
            keep(taken, new Why(reason.published(), outcome.message()));
        }
        return RecordResult.of(outcome.status());
    }

    private static Delivery delivery(
            ConsumerRecord<byte[], byte[]> message, Decoded.Usable usable, @Nullable UnmetDependency unmet) {
        RecordPosition place = new RecordPosition(message.topic(), message.partition(), message.offset());
        Instant appendedAt = Instant.ofEpochMilli(Math.clamp(message.timestamp(), 0, LATEST_MILLIS));
        return new Delivery(usable.asked(), usable.digest(), place, appendedAt, unmet);
    }

    private void keep(ReceivedRecord taken, Why why) {
        context.retryUntilAnswered("the dead letter of " + taken, () -> deadLetters.keep(taken.message(), why));
        log.warn("{} went to the dead letters: {}", taken, why);
    }
}
