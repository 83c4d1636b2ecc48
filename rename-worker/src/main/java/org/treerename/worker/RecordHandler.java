package org.treerename.worker;

import java.util.function.Function;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.treerename.journal.Delivery;
import org.treerename.journal.UnmetDependency;
import org.treerename.kafka.RequestCodec.Decoded;
import org.treerename.observe.LogContext;
import org.treerename.process.ProcessContext;
import org.treerename.rename.Renamer.Answer;
import org.treerename.request.Outcome;
import org.treerename.request.OutcomeCodec;
import org.treerename.request.Reason;
import org.treerename.request.RecordPosition;
import org.treerename.request.Status;
import org.treerename.worker.DeadLetters.Why;

/**
 * Processes one record. A completely processed record has an outcome, a dead letter, or both. Any number of threads may
 * call this class. The steps are:
 *
 * <ol>
 *   <li>The request ends, and its outcome is published. If the process dies after this step, Kafka delivers the record
 *       again. A worker then answers the request from the journal.
 *   <li>If the request would fail again for the same cause, the record is copied to the dead letters. If the
 *       process dies after this step, the record is copied once more.
 *   <li>After these steps, the loop may commit the offset.
 * </ol>
 */
final class RecordHandler {

    private static final Logger log = LoggerFactory.getLogger(RecordHandler.class);

    private final DeadLetters deadLetters;
    private final ProcessContext context;

    RecordHandler(DeadLetters deadLetters, ProcessContext context) {
        this.deadLetters = deadLetters;
        this.context = context;
    }

    /**
     * Processes one record and returns the result. Every log line of the processing contains the id of the rename.
     *
     * @param unmet the predecessor, named in {@code after}, that did not end in time; null if there is none
     */
    RecordResult carry(ReceivedRecord received, @Nullable UnmetDependency unmet, Function<Delivery, Answer> renamer) {
        if (!(received.decoded() instanceof Decoded.Usable usable)) {
            return process(received, unmet, renamer);
        }
        try (LogContext logContext = LogContext.of(context.processId(), usable.asked())) {
            return process(received, unmet, renamer);
        }
    }

    private RecordResult process(
            ReceivedRecord received, @Nullable UnmetDependency unmet, Function<Delivery, Answer> renamer) {
        return switch (received.decoded()) {
            case Decoded.Unusable unusable -> {
                keep(received, new Why(unusable.reason(), null));
                yield RecordResult.DEAD_LETTER;
            }
            case Decoded.Usable usable ->
                switch (renamer.apply(delivery(received.message(), usable, unmet))) {
                    case Answer.Published published -> published(received, published.outcome());
                    case Answer.Parked parked -> RecordResult.PARKED;
                    case Answer.Reused reused -> {
                        keep(received, new Why("request_id_reused", null));
                        yield RecordResult.DEAD_LETTER;
                    }
                    case Answer.Unanswerable unanswerable -> {
                        keep(received, new Why("no_outcome", unanswerable.why()));
                        yield RecordResult.DEAD_LETTER;
                    }
                    case Answer.Stopped stopped -> RecordResult.RELEASED;
                };
        };
    }

    /** Decides by the outcome alone, so the decision is correct even if another process ended the request. */
    private RecordResult published(ReceivedRecord received, String text) {
        Outcome outcome;
        try {
            outcome = OutcomeCodec.decode(text);
        } catch (IllegalArgumentException e) {
            log.warn(
                    "{}: cannot decode the outcome (perhaps written by a later version of tree rename): {};"
                            + " writing no dead letter for this record",
                    received,
                    e.getMessage());
            return RecordResult.UNREADABLE_OUTCOME;
        }
        Reason reason = outcome.reason();
        if (outcome.status() == Status.FAILED && reason != null && reason.isRepeatedByItself()) {
            keep(received, new Why(reason.published(), outcome.message()));
        }
        return RecordResult.of(outcome.status());
    }

    private static Delivery delivery(
            ConsumerRecord<byte[], byte[]> message, Decoded.Usable usable, @Nullable UnmetDependency unmet) {
        RecordPosition position = new RecordPosition(message.topic(), message.partition(), message.offset());
        return Delivery.of(usable.asked(), usable.digest(), position, message.timestamp(), unmet);
    }

    private void keep(ReceivedRecord received, Why why) {
        context.retryUntilAnswered("the dead letter of " + received, () -> deadLetters.keep(received.message(), why));
        log.warn("{} is copied to the dead letters: {}", received, why);
    }
}
