package org.treerename.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class KafkaRequestLogTest {

    private static final long WEEK = Duration.ofDays(7).toMillis();

    @Test
    void a_topic_whose_records_are_deleted_keeps_them_as_long_as_it_says() {
        assertThat(KafkaRequestLog.kept("delete", WEEK)).contains(Duration.ofDays(7));
        assertThat(KafkaRequestLog.kept("compact,delete", 0)).contains(Duration.ZERO);
    }

    @Test
    void a_topic_whose_records_do_not_go_for_their_age_keeps_them_for_ever() {
        assertThat(KafkaRequestLog.kept("delete", -1)).isEmpty();
        assertThat(KafkaRequestLog.kept("delete", Long.MAX_VALUE)).isEmpty();
        assertThat(KafkaRequestLog.kept("compact", WEEK)).isEmpty();
    }
}
