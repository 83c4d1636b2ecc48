package org.treerename.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.treerename.runtime.ManualTime;
import org.treerename.store.NoAnswerException;
import org.treerename.store.RefusedException;
import org.treerename.wire.RequestTopic;

class KafkaWatchTest {

    private static final RequestTopic GOOD = new RequestTopic("delete", 1_000, -1, "LogAppendTime");
    private static final RequestTopic BAD = new RequestTopic("delete", 1_000, -1, "CreateTime");

    private final ManualTime time = ManualTime.startingAt("2026-03-01T10:00:00Z");
    private Supplier<Optional<RequestTopic>> kafka = () -> Optional.of(GOOD);
    private final KafkaWatch watch = new KafkaWatch(time, () -> kafka.get());

    private void isSilent() {
        kafka = () -> {
            throw new NoAnswerException("nobody answers", null);
        };
    }

    @Test
    void a_process_is_ready_while_kafka_answers() {
        watch.begin();
        time.advance(KafkaWatch.SILENCE.plusSeconds(1));
        watch.look();

        assertThat(watch.check()).isEmpty();
    }

    @Test
    void a_process_that_kafka_does_not_let_in_does_not_begin_and_one_that_has_begun_waits() {
        kafka = () -> {
            throw NoAnswerException.notLetIn("wrong password", null);
        };

        assertThatThrownBy(watch::begin)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("wrong password");
        assertThat(watch.look()).isEmpty();
    }

    @Test
    void one_look_without_an_answer_is_no_silence_yet() {
        watch.begin();
        isSilent();
        time.advance(KafkaWatch.SILENCE);
        watch.look();

        assertThat(watch.check()).isEmpty();
    }

    @Test
    void after_a_while_of_silence_it_is_not_and_with_the_first_answer_it_is_again() {
        watch.begin();
        isSilent();
        time.advance(KafkaWatch.SILENCE.plusMillis(1));
        watch.look();
        Optional<String> inSilence = watch.check();
        kafka = () -> Optional.of(GOOD);
        watch.look();

        assertThat(inSilence).get(InstanceOfAssertFactories.STRING).contains("15001 ms ago, expected within 15000 ms");
        assertThat(watch.check()).isEmpty();
    }

    /** What counts is when it was asked: an answer that was long on its way says nothing of now. */
    @Test
    void a_look_that_waits_for_its_answer_is_silence_too() {
        kafka = () -> {
            time.advance(KafkaWatch.SILENCE.plusMillis(1));
            return Optional.of(GOOD);
        };
        watch.begin();

        assertThat(watch.check()).isPresent();
    }

    @Test
    void a_process_does_not_begin_on_a_topic_that_it_cannot_work_with() {
        kafka = () -> Optional.of(BAD);

        assertThatThrownBy(watch::begin)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(BAD.problem().orElseThrow());
    }

    @Test
    void a_process_begins_where_kafka_does_not_say_or_may_not_tell_or_has_no_topic_yet() {
        isSilent();
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
        assertThat(watch.check()).contains("there is no topic rename.requests");
    }

    @Test
    void who_may_not_ask_is_answered_all_the_same() {
        watch.begin();
        kafka = () -> {
            throw new RefusedException("not authorized");
        };
        time.advance(KafkaWatch.SILENCE.plus(Duration.ofSeconds(1)));
        watch.look();

        assertThat(watch.check()).isEmpty();
    }

    @Test
    void a_topic_that_is_changed_later_makes_it_not_ready_until_it_is_mended() {
        watch.begin();
        kafka = () -> Optional.of(BAD);
        watch.look();
        Optional<String> changed = watch.check();
        kafka = () -> Optional.of(GOOD);
        watch.look();

        assertThat(changed).isEqualTo(BAD.problem());
        assertThat(watch.check()).isEmpty();
    }
}
