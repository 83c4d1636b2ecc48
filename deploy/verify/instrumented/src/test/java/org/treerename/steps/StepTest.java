package org.treerename.steps;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.treerename.rename.World;
import org.treerename.request.Outcomes;
import org.treerename.steps.Step.Answer;
import org.treerename.store.Interference;
import org.treerename.store.NoAnswerException;

class StepTest {

    private static final Step PREPARE = Step.of("prepare", "r 1=\u00e4", Answer.WRITTEN)
            .entry("PREPARED", "worker-1", 2, "hold-1")
            .taking(true, "exclusive /a b\nshared /c");

    private final List<Step> logged = new ArrayList<>();
    private final World world = new World();
    private final Outcomes outcomes =
            Steps.recorded(world.stores(), logged::add).outcomes();

    @Test
    void a_step_is_read_from_a_line_of_the_log() {
        String line = "2026-03-01T10:00:00.000Z INFO main Steps: " + PREPARE;

        assertThat(Step.in(line)).contains(PREPARE);
    }

    @Test
    void another_line_contains_no_step() {
        assertThat(Step.in("request r1 takes the next step and waits")).isEmpty();
    }

    @Test
    void a_call_is_logged_when_it_is_answered() {
        outcomes.publish("r1", "{}");

        assertThat(world.outcomes.of("r1")).containsExactly("{}");
        assertThat(logged).containsExactly(Step.of("publish", "r1", Answer.WRITTEN));
    }

    @Test
    void a_call_without_an_answer_is_logged_as_unknown() {
        world.calls.interfere(Interference.answerLostAt(1));

        assertThatThrownBy(() -> outcomes.publish("r1", "{}")).isInstanceOf(NoAnswerException.class);

        assertThat(logged).containsExactly(Step.of("publish", "r1", Answer.UNKNOWN));
    }
}
