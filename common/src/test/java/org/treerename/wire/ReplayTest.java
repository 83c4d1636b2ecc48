package org.treerename.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.treerename.wire.Replay.Possible;

class ReplayTest {

    private static final String PARENT = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    private static final String REQUEST =
            "{\"request_id\":\"r1\",\"namespace\":\"files\",\"source\":\"/a\",\"destination\":\"/b\"}";

    private static ProducerRecord<byte[], byte[]> replayed(ConsumerRecord<byte[], byte[]> letter) {
        Replay replay = Replay.of(new DeadLetter(letter), "r2", 1);
        return assertThat(replay)
                .asInstanceOf(InstanceOfAssertFactories.type(Possible.class))
                .actual()
                .message("/rename-admin", Instant.parse("2026-03-01T10:00:00Z"));
    }

    private static ConsumerRecord<byte[], byte[]> letter() {
        return new ConsumerRecord<>(Topics.DEAD_LETTERS, 0, 17, null, REQUEST.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void a_replay_goes_on_in_the_trace_of_the_request_that_it_repeats() {
        ConsumerRecord<byte[], byte[]> letter = letter();
        letter.headers().add("traceparent", PARENT.getBytes(StandardCharsets.UTF_8));

        assertThat(replayed(letter).headers().lastHeader("traceparent").value())
                .asString(StandardCharsets.UTF_8)
                .isEqualTo(PARENT);
    }

    @Test
    void a_replay_of_a_request_in_no_trace_is_in_none() {
        assertThat(replayed(letter()).headers().lastHeader("traceparent")).isNull();
    }
}
