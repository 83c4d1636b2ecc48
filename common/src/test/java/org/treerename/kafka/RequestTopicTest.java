package org.treerename.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Optional;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RequestTopicTest {

    private static final long WEEK = Duration.ofDays(7).toMillis();

    private static RequestTopic of(String cleanupPolicy, long retentionMillis) {
        return new RequestTopic("rename.requests", cleanupPolicy, retentionMillis, -1, "LogAppendTime");
    }

    @Test
    void a_topic_with_deletion_keeps_records_for_its_retention() {
        assertThat(of("delete", WEEK).kept()).contains(Duration.ofDays(7));
        assertThat(of("compact, delete", 0).kept()).contains(Duration.ZERO);
    }

    @Test
    void a_topic_without_deletion_by_age_keeps_records_for_ever() {
        assertThat(of("delete", -1).kept()).isEmpty();
        assertThat(of("delete", Long.MAX_VALUE).kept()).isEmpty();
        assertThat(of("compact", WEEK).kept()).isEmpty();
        assertThat(of("", WEEK).kept()).isEmpty();
    }

    @Test
    void a_correct_topic_has_no_problem_whatever_its_retention() {
        assertThat(of("delete", WEEK))
                .returns(Optional.empty(), RequestTopic::problem)
                .returns(Optional.empty(), RequestTopic::remark);
        assertThat(of("delete", -1).problem()).isEmpty();
        assertThat(of("", WEEK).problem()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"compact", "compact,delete", "delete, compact"})
    void compaction_is_a_problem(String policy) {
        assertThat(of(policy, WEEK).problem())
                .get(InstanceOfAssertFactories.STRING)
                .contains("cleanup.policy=" + policy + ", expected delete: ", "--add-config cleanup.policy=delete");
    }

    @Test
    void time_stamps_of_producers_are_a_problem() {
        assertThat(new RequestTopic("rename.requests", "delete", WEEK, -1, "CreateTime").problem())
                .get(InstanceOfAssertFactories.STRING)
                .contains(
                        "message.timestamp.type=CreateTime, expected LogAppendTime: ",
                        "--add-config message.timestamp.type=LogAppendTime");
    }

    @Test
    void deletion_by_size_is_a_remark() {
        RequestTopic small = new RequestTopic("rename.requests", "delete", WEEK, 1_000, "LogAppendTime");

        assertThat(small.problem()).isEmpty();
        assertThat(small.remark())
                .get(InstanceOfAssertFactories.STRING)
                .contains("retention.bytes=1000, expected -1: ");
    }
}
