package org.treerename.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.treerename.kafka.RequestTopic;
import org.treerename.runtime.ManualTime;
import org.treerename.store.NoAnswerException;
import org.treerename.store.RefusedException;

class KafkaWatchTest {

    private static final RequestTopic GOOD = new RequestTopic("rename.requests", "delete", 1_000, -1, "LogAppendTime");
    private static final RequestTopic BAD = new RequestTopic("rename.requests", "delete", 1_000, -1, "CreateTime");

    private final ManualTime time = ManualTime.startingAt("2026-03-01T10:00:00Z");
    private Supplier<Optional<RequestTopic>> kafka = () -> Optional.of(GOOD);
    private final KafkaWatch watch = new KafkaWatch(time, "rename.requests", () -> kafka.get());

    private void silenceKafka() {
        kafka = () -> {
            throw new NoAnswerException("no answer", null);
        };
    }

    @Test
    void a_process_is_ready_while_kafka_answers() {
        watch.begin();
        time.advance(KafkaWatch.SILENCE.plusSeconds(1));
        watch.poll();

        assertThat(watch.check()).isEmpty();
    }

    @Test
    void a_process_without_access_to_kafka_does_not_start_and_a_running_one_waits() {
        kafka = () -> {
            throw NoAnswerException.authenticationFailed("wrong password", null);
        };

        assertThatThrownBy(watch::begin)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("wrong password");
        assertThat(watch.poll()).isEmpty();
    }

    @Test
    void one_request_without_an_answer_does_not_count_as_silence() {
        watch.begin();
        silenceKafka();
        time.advance(KafkaWatch.SILENCE);
        watch.poll();

        assertThat(watch.check()).isEmpty();
    }

    @Test
    void is_not_ready_after_a_long_silence_and_ready_again_with_the_first_answer() {
        watch.begin();
        silenceKafka();
        time.advance(KafkaWatch.SILENCE.plusMillis(1));
        watch.poll();
        Optional<String> inSilence = watch.check();
        kafka = () -> Optional.of(GOOD);
        watch.poll();

        assertThat(inSilence).get(InstanceOfAssertFactories.STRING).contains("15001 ms ago, expected within 15000 ms");
        assertThat(watch.check()).isEmpty();
    }

    /** The age of an answer is counted from its request, because a late answer may describe an earlier state. */
    @Test
    void a_request_that_waits_for_its_answer_counts_as_silence() {
        kafka = () -> {
            time.advance(KafkaWatch.SILENCE.plusMillis(1));
            return Optional.of(GOOD);
        };
        watch.begin();

        assertThat(watch.check()).isPresent();
    }

    @Test
    void a_process_does_not_start_on_a_topic_with_wrong_settings() {
        kafka = () -> Optional.of(BAD);

        assertThatThrownBy(watch::begin)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(BAD.problem().orElseThrow());
    }

    @Test
    void a_process_starts_if_kafka_is_silent_or_refuses_or_has_no_topic_yet() {
        silenceKafka();
        watch.begin();
        Optional<String> unknown = watch.check();
        kafka = () -> {
            throw new RefusedException("not authorized");
        };
        watch.begin();
        Optional<String> refused = watch.check();
        kafka = Optional::empty;
        watch.begin();

        assertThat(unknown).isEmpty();
        assertThat(refused).isEmpty();
        assertThat(watch.check()).contains("there is no topic rename.requests; create it, or correct --prefix");
    }

    @Test
    void a_refused_request_counts_as_an_answer() {
        watch.begin();
        kafka = () -> {
            throw new RefusedException("not authorized");
        };
        time.advance(KafkaWatch.SILENCE.plus(Duration.ofSeconds(1)));
        watch.poll();

        assertThat(watch.check()).isEmpty();
    }

    @Test
    void is_not_ready_while_the_topic_has_wrong_settings() {
        watch.begin();
        kafka = () -> Optional.of(BAD);
        watch.poll();
        Optional<String> changed = watch.check();
        kafka = () -> Optional.of(GOOD);
        watch.poll();

        assertThat(changed).isEqualTo(BAD.problem());
        assertThat(watch.check()).isEmpty();
    }
}
