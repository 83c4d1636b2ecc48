package org.treerename.benchmark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RawClientTest {

    private static final RawOutcome ONE =
            new RawOutcome("one", "completed", null, Instant.EPOCH, Instant.EPOCH, Instant.EPOCH);

    @Test
    void reads_the_necessary_fields_of_an_outcome() throws Exception {
        String record = """
                {"request_id":"one","status":"rejected","reason":"source_missing","message":"m","moved":0,
                 "requested_at":"2026-01-01T00:00:00.005Z","committed_at":null,"finished_at":"2026-01-01T00:00:00.012Z"}""";

        RawOutcome outcome = RawOutcome.parse(record.getBytes(StandardCharsets.UTF_8));

        assertThat(outcome)
                .isEqualTo(new RawOutcome(
                        "one",
                        "rejected",
                        "source_missing",
                        Instant.parse("2026-01-01T00:00:00.005Z"),
                        null,
                        Instant.parse("2026-01-01T00:00:00.012Z")));
        assertThat(outcome.ending()).isEqualTo("rejected (source_missing)");
    }

    @Test
    void one_outcome_for_each_request_is_accepted() {
        assertThatCode(() -> RawClient.requireOneEach(List.of("one"), Map.of("one", List.of(ONE)), 0))
                .doesNotThrowAnyException();
    }

    @Test
    void a_request_without_an_outcome_is_refused() {
        assertThatThrownBy(() -> RawClient.requireOneEach(List.of("one", "two"), Map.of("one", List.of(ONE)), 0))
                .hasMessageContaining("two has 0");
    }

    @Test
    void a_request_with_two_outcomes_is_refused() {
        assertThatThrownBy(() -> RawClient.requireOneEach(List.of("one"), Map.of("one", List.of(ONE, ONE)), 0))
                .hasMessageContaining("one has 2");
    }

    @Test
    void a_record_that_is_no_outcome_is_refused() {
        assertThatThrownBy(() -> RawClient.requireOneEach(List.of(), Map.of(), 1))
                .hasMessageContaining("unreadable outcome records: 1");
    }
}
