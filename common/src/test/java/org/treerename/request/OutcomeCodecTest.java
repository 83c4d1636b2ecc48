package org.treerename.request;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.treerename.kafka.Schema;

class OutcomeCodecTest {

    private static Outcome outcome(Status status, @Nullable Reason reason) {
        return new Outcome(
                "r\"1",
                status,
                reason,
                "renamed /ü\uD83D\uDE00 to /b\n",
                1L << 40,
                1L << 41,
                "worker-1",
                true,
                "me",
                Instant.parse("2026-03-01T10:00:00Z"),
                Instant.parse("2026-03-01T10:00:01.120Z"),
                Instant.parse("2026-03-01T10:00:02.003Z"),
                null);
    }

    @ParameterizedTest
    @EnumSource(value = Status.class, mode = EnumSource.Mode.EXCLUDE, names = "OTHER")
    void encodes_and_decodes_every_status(Status status) {
        String text = OutcomeCodec.encode(outcome(status, null));

        assertThat(Schema.OUTCOME.problems(text)).isEmpty();
        assertThat(OutcomeCodec.decode(text)).isEqualTo(outcome(status, null));
    }

    @ParameterizedTest
    @EnumSource(value = Reason.class, mode = EnumSource.Mode.EXCLUDE, names = "OTHER")
    void encodes_and_decodes_every_reason(Reason reason) {
        String text = OutcomeCodec.encode(outcome(Status.REJECTED, reason));

        assertThat(Schema.OUTCOME.problems(text)).isEmpty();
        assertThat(OutcomeCodec.decode(text)).isEqualTo(outcome(Status.REJECTED, reason));
    }

    @Test
    void fields_have_a_fixed_order_and_times_are_in_milliseconds() {
        Outcome outcome = new Outcome(
                "r1",
                Status.COMPLETED,
                null,
                "m",
                0,
                0,
                "p",
                false,
                null,
                Instant.parse("2026-03-01T10:00:00Z"),
                null,
                Instant.parse("2026-03-01T10:00:02.003999Z"),
                null);

        assertThat(OutcomeCodec.encode(outcome))
                .isEqualTo(
                        "{\"request_id\":\"r1\",\"status\":\"completed\",\"reason\":null,\"message\":\"m\",\"moved\":0,"
                                + "\"refused\":0,\"process_id\":\"p\",\"rolled_forward\":false,\"requested_by\":null,"
                                + "\"requested_at\":\"2026-03-01T10:00:00.000Z\",\"committed_at\":null,"
                                + "\"finished_at\":\"2026-03-01T10:00:02.003Z\"}");
    }

    @Test
    void the_paths_of_the_request_come_last() {
        Outcome outcome = new Outcome(
                "r1",
                Status.COMPLETED,
                null,
                "m",
                0,
                0,
                "p",
                false,
                null,
                Instant.parse("2026-03-01T10:00:00Z"),
                null,
                Instant.parse("2026-03-01T10:00:02Z"),
                new Outcome.Paths("files", "/a", "/b"));

        String text = OutcomeCodec.encode(outcome);

        assertThat(text).endsWith(",\"namespace\":\"files\",\"source\":\"/a\",\"destination\":\"/b\"}");
        assertThat(Schema.OUTCOME.problems(text)).isEmpty();
        assertThat(OutcomeCodec.decode(text)).isEqualTo(outcome);
    }

    @Test
    void unknown_fields_are_ignored() {
        String text = OutcomeCodec.encode(outcome(Status.FAILED, Reason.LOCKED));
        String later = text.replaceFirst("\\{", "{\"later\":[1],");

        assertThat(Schema.OUTCOME.problems(later)).isEmpty();
        assertThat(OutcomeCodec.decode(later)).isEqualTo(outcome(Status.FAILED, Reason.LOCKED));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "no json", "[]", "null", "{}", "{\"request_id\":\"r1\"}"})
    void refuses_a_text_that_is_not_an_outcome(String text) {
        assertThatThrownBy(() -> OutcomeCodec.decode(text)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void reads_a_reason_of_a_later_version() {
        String later = OutcomeCodec.encode(outcome(Status.COMPLETED, Reason.MAY_HAVE_LEFT))
                .replace("may_have_left", "moved_by_night");

        Outcome read = OutcomeCodec.decode(later);

        assertThat(read.status()).isEqualTo(Status.COMPLETED);
        assertThat(read.reason()).isEqualTo(Reason.OTHER);
        assertThat(read.publishedReason()).isEqualTo("moved_by_night");
        assertThat(OutcomeCodec.encode(read)).isEqualTo(later);
    }

    @Test
    void reads_a_status_of_a_later_version() {
        String later =
                OutcomeCodec.encode(outcome(Status.FAILED, Reason.LOCKED)).replace("failed", "postponed");

        Outcome read = OutcomeCodec.decode(later);

        assertThat(read.status()).isEqualTo(Status.OTHER);
        assertThat(read.publishedStatus()).isEqualTo("postponed");
        assertThat(read.reason()).isEqualTo(Reason.LOCKED);
        assertThat(read.publishedReason()).isEqualTo("locked");
        assertThat(OutcomeCodec.encode(read)).isEqualTo(later);
    }

    @Test
    void refuses_an_invalid_time() {
        String text = OutcomeCodec.encode(outcome(Status.FAILED, Reason.LOCKED));

        assertThatThrownBy(() -> OutcomeCodec.decode(text.replace("2026-03-01T10:00:00.000Z", "yesterday")))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
