package org.treerename.steps;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.treerename.steps.Step.Answer;
import org.treerename.store.NoAnswerException;

class StepTest {

    private static final Step PREPARE = Step.of("prepare", "r 1=\u00e4", Answer.WRITTEN)
            .entry("PREPARED", "worker-1", 2, "hold-1")
            .taking(true, "exclusive /a b\nshared /c");

    private final List<Step> logged = new ArrayList<>();
    private final Steps steps = logged::add;

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
        String answer = steps.report(Steps.unanswered("publish", "r1"), () -> "yes", yes -> PREPARE);

        assertThat(answer).isEqualTo("yes");
        assertThat(logged).containsExactly(PREPARE);
    }

    @Test
    void a_call_without_an_answer_is_logged_as_unknown() {
        assertThatThrownBy(() -> steps.report(
                        Steps.unanswered("publish", "r1"),
                        () -> {
                            throw new NoAnswerException("silence", null);
                        },
                        answer -> PREPARE))
                .isInstanceOf(NoAnswerException.class);

        assertThat(logged).containsExactly(Step.of("publish", "r1", Answer.UNKNOWN));
    }
}
