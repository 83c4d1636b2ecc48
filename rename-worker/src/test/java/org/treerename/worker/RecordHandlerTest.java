package org.treerename.worker;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.slf4j.MDC;
import org.treerename.installation.Installation;
import org.treerename.journal.Delivery;
import org.treerename.journal.UnmetDependency;
import org.treerename.kafka.DeadLetter;
import org.treerename.kafka.RequestCodec;
import org.treerename.observe.LogContext;
import org.treerename.process.ProcessContext;
import org.treerename.rename.Renamer.Answer;
import org.treerename.request.OnExisting;
import org.treerename.request.ParsedRequest.RenameRequest;
import org.treerename.request.Reason;
import org.treerename.request.RecordPosition;
import org.treerename.request.Status;
import org.treerename.runtime.Backoff;
import org.treerename.runtime.ManualTime;
import org.treerename.runtime.StopSignal;
import org.treerename.store.NoAnswerException;
import org.treerename.store.RefusedException;

final class RecordHandlerTest {

    private static final RenameRequest REQUEST = new RenameRequest("r1", "files", "/a", "/b", OnExisting.FAIL, null);

    private final ManualTime time = ManualTime.startingAt("2026-03-01T10:00:00Z");
    private final ProcessContext context =
            new ProcessContext("worker-1", time, Backoff.Factory.jittered(time), Duration.ZERO, 10, new StopSignal());
    private final List<String> keptReasons = new ArrayList<>();
    private final List<ProducerRecord<byte[], byte[]>> letters = new ArrayList<>();
    private final List<RuntimeException> failures = new ArrayList<>();
    private final RecordHandler handler = new RecordHandler(
            new DeadLetters(Installation.DEFAULT.deadLetters(), this::send, keptReasons::add), context);

    /** Keeps the dead letter, or throws the next prepared failure. */
    private void send(ProducerRecord<byte[], byte[]> letter) {
        if (!failures.isEmpty()) {
            throw failures.removeFirst();
        }
        letters.add(letter);
    }

    private static ReceivedRecord received(byte @Nullable [] value, long timestamp) {
        return ReceivedRecord.of(new ConsumerRecord<>(
                Installation.DEFAULT.requests(),
                3,
                7,
                timestamp,
                TimestampType.LOG_APPEND_TIME,
                1,
                1,
                "key".getBytes(StandardCharsets.UTF_8),
                value,
                new RecordHeaders(),
                Optional.empty()));
    }

    private static ReceivedRecord request() {
        return received(RequestCodec.encode(REQUEST), 1_000);
    }

    private static @Nullable String header(ProducerRecord<byte[], byte[]> letter, String name) {
        var header = letter.headers().lastHeader(name);
        return header == null ? null : new String(Objects.requireNonNull(header.value()), StandardCharsets.UTF_8);
    }

    private RecordResult carry(Answer answer) {
        return handler.carry(request(), null, delivery -> answer);
    }

    @Test
    void delivers_the_request_with_its_place_and_time() {
        List<Delivery> deliveries = new ArrayList<>();

        RecordResult result = handler.carry(request(), UnmetDependency.unknown("r0"), delivery -> {
            deliveries.add(delivery);
            return OutcomeTexts.completed("r1");
        });

        assertThat(result.mayCommit()).isTrue();
        assertThat(deliveries).singleElement().satisfies(delivery -> {
            assertThat(delivery.requestId()).isEqualTo("r1");
            assertThat(delivery.place()).isEqualTo(new RecordPosition(Installation.DEFAULT.requests(), 3, 7));
            assertThat(delivery.appendedAt()).isEqualTo(Instant.ofEpochSecond(1));
            assertThat(delivery.unmet()).isEqualTo(UnmetDependency.unknown("r0"));
        });
        assertThat(letters).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "-1, 1970-01-01T00:00:00Z",
        "253402300799999, 9999-12-31T23:59:59.999Z",
        "253402300800000, 9999-12-31T23:59:59.999Z"
    })
    void keeps_the_time_of_a_record_between_1970_and_9999(long timestamp, Instant appendedAt) {
        List<Instant> delivered = new ArrayList<>();

        handler.carry(received(RequestCodec.encode(REQUEST), timestamp), null, delivery -> {
            delivered.add(delivery.appendedAt());
            return OutcomeTexts.completed("r1");
        });

        assertThat(delivered).containsExactly(appendedAt);
    }

    private static Stream<Object[]> answersWithoutALetter() {
        return Stream.of(
                new Object[] {OutcomeTexts.completed("r1"), RecordResult.COMPLETED},
                new Object[] {
                    OutcomeTexts.published("r1", Status.REJECTED, Reason.SOURCE_NOT_FOUND), RecordResult.REJECTED
                },
                new Object[] {OutcomeTexts.published("r1", Status.FAILED, Reason.LOCKED), RecordResult.FAILED},
                new Object[] {OutcomeTexts.published("r1", Status.FAILED, null), RecordResult.FAILED},
                new Object[] {OutcomeTexts.published("r1", Status.CANCELLED, null), RecordResult.CANCELLED},
                new Object[] {OutcomeTexts.published("r1", Status.ABANDONED, Reason.PARKED), RecordResult.ABANDONED},
                new Object[] {
                    new Answer.Published("{\"status\":\"of a later version\"}"), RecordResult.UNREADABLE_OUTCOME
                },
                new Object[] {OutcomeTexts.published("r1", Status.OTHER, null), RecordResult.UNREADABLE_OUTCOME},
                new Object[] {new Answer.Parked(), RecordResult.PARKED});
    }

    @ParameterizedTest
    @MethodSource("answersWithoutALetter")
    void commits_the_offset_of_a_request_that_has_ended(Answer answer, RecordResult expected) {
        RecordResult result = carry(answer);

        assertThat(result).isEqualTo(expected);
        assertThat(result.mayCommit()).isTrue();
        assertThat(letters).isEmpty();
    }

    @Test
    void commits_no_offset_of_a_released_request() {
        RecordResult result = carry(new Answer.Stopped());

        assertThat(result).isEqualTo(RecordResult.RELEASED);
        assertThat(result.mayCommit()).isFalse();
        assertThat(letters).isEmpty();
    }

    private static Stream<Object[]> answersWithALetter() {
        return Stream.of(
                new Object[] {
                    OutcomeTexts.published("r1", Status.FAILED, Reason.KEPT_FAILING), "kept_failing", "in one sentence"
                },
                new Object[] {
                    OutcomeTexts.published("r1", Status.FAILED, Reason.TREE_REFUSED), "tree_refused", "in one sentence"
                },
                new Object[] {new Answer.Reused(), "request_id_reused", null},
                new Object[] {new Answer.Unanswerable("no end"), "no_outcome", "no end"});
    }

    @ParameterizedTest
    @MethodSource("answersWithALetter")
    void keeps_the_record_of_a_request_that_would_fail_again_as_a_dead_letter(
            Answer answer, String reason, @Nullable String message) {
        RecordResult result = carry(answer);

        assertThat(result.mayCommit()).isTrue();
        assertThat(letters).singleElement().satisfies(letter -> {
            assertThat(letter.topic()).isEqualTo(Installation.DEFAULT.deadLetters());
            assertThat(letter.key()).asString().isEqualTo("key");
            assertThat(letter.value()).isEqualTo(RequestCodec.encode(REQUEST));
            assertThat(header(letter, DeadLetter.REASON)).isEqualTo(reason);
            assertThat(header(letter, DeadLetter.MESSAGE)).isEqualTo(message);
            assertThat(header(letter, DeadLetter.TOPIC)).isEqualTo(Installation.DEFAULT.requests());
            assertThat(header(letter, DeadLetter.PARTITION)).isEqualTo("3");
            assertThat(header(letter, DeadLetter.OFFSET)).isEqualTo("7");
        });
        assertThat(keptReasons).containsExactly(reason);
    }

    @Test
    void keeps_an_unusable_record_as_a_dead_letter_and_does_not_process_it() {
        RecordResult result = handler.carry(received(null, 0), null, delivery -> {
            throw new AssertionError("an unusable record was processed");
        });

        assertThat(result.mayCommit()).isTrue();
        assertThat(letters).singleElement().satisfies(letter -> {
            assertThat(letter.value()).isNull();
            assertThat(header(letter, DeadLetter.REASON)).isEqualTo("empty");
        });
    }

    @Test
    void sends_a_dead_letter_again_until_kafka_acknowledges_it() {
        failures.add(new NoAnswerException("no answer", null));
        failures.add(new NoAnswerException("no answer", null));

        RecordResult result = carry(new Answer.Reused());

        assertThat(result.mayCommit()).isTrue();
        assertThat(failures).isEmpty();
        assertThat(letters).hasSize(1);
    }

    @Test
    void sends_a_dead_letter_that_is_too_large_for_the_topic_without_its_value() {
        failures.add(new RefusedException("too large"));

        RecordResult result = carry(new Answer.Reused());

        assertThat(result.mayCommit()).isTrue();
        assertThat(letters).singleElement().satisfies(letter -> {
            assertThat(letter.value()).isNull();
            assertThat(header(letter, DeadLetter.OFFSET)).isEqualTo("7");
        });
    }

    @Test
    void sets_the_request_id_in_the_logging_context_while_it_processes_the_request() {
        List<@Nullable String> logged = new ArrayList<>();

        handler.carry(request(), null, delivery -> {
            logged.add(MDC.get(LogContext.REQUEST_ID));
            return OutcomeTexts.completed("r1");
        });
        logged.add(MDC.get(LogContext.REQUEST_ID));

        assertThat(logged).containsExactly("r1", null);
    }
}
