package org.treerename.janitor.deadletter;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.treerename.installation.Installation;
import org.treerename.janitor.deadletter.Replay.Possible;
import org.treerename.kafka.DeadLetter;

class ReplayTest {

    private static final String PARENT = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    private static final String REQUEST =
            "{\"request_id\":\"r1\",\"namespace\":\"files\",\"source\":\"/a\",\"destination\":\"/b\"}";

    private static ProducerRecord<byte[], byte[]> replayed(ConsumerRecord<byte[], byte[]> letter) {
        return possible(Replay.of(new DeadLetter(letter), "r2", 1))
                .message("rename.requests", "/rename-admin", Instant.parse("2026-03-01T10:00:00Z"));
    }

    private static Possible possible(Replay replay) {
        return assertThat(replay)
                .asInstanceOf(InstanceOfAssertFactories.type(Possible.class))
                .actual();
    }

    private static ConsumerRecord<byte[], byte[]> letter() {
        return letter(17, REQUEST);
    }

    private static ConsumerRecord<byte[], byte[]> letter(long offset, String value) {
        return new ConsumerRecord<>(
                Installation.DEFAULT.deadLetters(), 0, offset, null, value.getBytes(StandardCharsets.UTF_8));
    }

    /**
     * Returns the request id of a replay. The dead letter is at {@code offset}, and its original record is at {@code
     * originalOffset}.
     */
    private static String replayId(long offset, String value, String originalOffset) {
        ConsumerRecord<byte[], byte[]> letter = letter(offset, value);
        Map.of(DeadLetter.TOPIC, "rename.requests", DeadLetter.PARTITION, "3", DeadLetter.OFFSET, originalOffset)
                .forEach((name, text) -> letter.headers().add(name, text.getBytes(StandardCharsets.UTF_8)));
        return possible(Replay.of(new DeadLetter(letter), 1)).request().requestId();
    }

    @Test
    void each_replay_of_a_record_has_the_same_id_whichever_of_its_dead_letters_is_used() {
        String id = replayId(17, REQUEST, "99");

        assertThat(id).matches("replay-[0-9a-f]{32}").isEqualTo(replayId(18, REQUEST, "99"));
        assertThat(id).isNotEqualTo(replayId(17, REQUEST, "98")).isNotEqualTo(replayId(17, REQUEST + " ", "99"));
    }

    @Test
    void a_dead_letter_without_the_position_of_its_record_is_identified_by_its_own_position() {
        String id = possible(Replay.of(new DeadLetter(letter()), 1)).request().requestId();

        assertThat(id)
                .isEqualTo(possible(Replay.of(new DeadLetter(letter()), 1))
                        .request()
                        .requestId());
        assertThat(id)
                .isNotEqualTo(possible(Replay.of(new DeadLetter(letter(18, REQUEST)), 1))
                        .request()
                        .requestId());
    }

    @Test
    void a_replay_has_the_same_predecessors() {
        ConsumerRecord<byte[], byte[]> letter = letter(17, REQUEST.replace("}", ",\"after\":[\"r0\"]}"));

        assertThat(replayed(letter).value())
                .asString(StandardCharsets.UTF_8)
                .contains("\"after\":[\"r0\"]", "\"replay_of\":\"r1\"");
    }

    @Test
    void a_replay_continues_the_trace_of_the_original_request() {
        ConsumerRecord<byte[], byte[]> letter = letter();
        letter.headers().add("traceparent", PARENT.getBytes(StandardCharsets.UTF_8));

        assertThat(replayed(letter).headers().lastHeader("traceparent").value())
                .asString(StandardCharsets.UTF_8)
                .isEqualTo(PARENT);
    }

    @Test
    void a_replay_of_a_request_without_a_trace_has_no_trace() {
        assertThat(replayed(letter()).headers().lastHeader("traceparent")).isNull();
    }
}
