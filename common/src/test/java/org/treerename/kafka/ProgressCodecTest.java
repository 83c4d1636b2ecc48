package org.treerename.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.treerename.request.DecisionTime;
import org.treerename.request.RenameProgress;

class ProgressCodecTest {

    private static final DecisionTime DECIDED =
            new DecisionTime(Instant.parse("2026-03-01T10:00:00Z"), Instant.parse("2026-03-01T10:00:00.120Z"));

    private static final RenameProgress PROGRESS =
            new RenameProgress("r\"1", 1L << 40, 1L << 41, 2, "worker-1", true, DECIDED, "no room");

    private static final String YESTERDAY =
            "{\"request_id\":\"r1\",\"moved\":1,\"expected\":2,\"requested_at\":\"yesterday\"}";

    @Test
    void encodes_and_decodes_progress() {
        String text = ProgressCodec.encode(PROGRESS);

        assertThat(Schema.PROGRESS.problems(text)).isEmpty();
        assertThat(ProgressCodec.decode(text)).isEqualTo(PROGRESS);
    }

    @Test
    void encodes_and_decodes_progress_without_the_time_of_the_decision() {
        RenameProgress without = new RenameProgress("r1", 1, 2, 1, "worker-1", false, null, null);
        String text = ProgressCodec.encode(without);

        assertThat(Schema.PROGRESS.problems(text)).isEmpty();
        assertThat(ProgressCodec.decode(text)).isEqualTo(without);
    }

    @Test
    void unknown_fields_are_ignored() {
        String later = "{\"later\":1," + ProgressCodec.encode(PROGRESS).substring(1);

        assertThat(ProgressCodec.decode(later)).isEqualTo(PROGRESS);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "x", "{}", "{\"request_id\":\"r1\",\"moved\":1}", YESTERDAY})
    void refuses_a_text_that_is_not_progress(String text) {
        assertThatThrownBy(() -> ProgressCodec.decode(text)).isInstanceOf(IllegalArgumentException.class);
    }
}
