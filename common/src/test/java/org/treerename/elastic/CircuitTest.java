package org.treerename.elastic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.treerename.store.NoAnswerException;

@Timeout(30)
class CircuitTest {

    private static final Duration SOON = Duration.ofMillis(1);
    private static final Duration LATE = Duration.ofHours(1);

    private static Circuit opened(Duration betweenProbes) {
        Circuit circuit = new Circuit(betweenProbes);
        for (int i = 0; i < 5; i++) {
            circuit.admit();
            circuit.silent(new IOException("refused"));
        }
        return circuit;
    }

    @Test
    void it_opens_when_nobody_answers_and_says_so_once_for_all() {
        assertThatThrownBy(opened(LATE)::admit)
                .isInstanceOfSatisfying(
                        NoAnswerException.class, e -> assertThat(e.isTold()).isTrue());
    }

    @Test
    void one_answer_among_the_last_keeps_it_closed() {
        Circuit circuit = new Circuit(LATE);
        for (int i = 0; i < 50; i++) {
            if (i % 5 == 0) {
                circuit.answered();
            } else {
                circuit.silent(new IOException("refused"));
            }
            assertThatCode(circuit::admit).doesNotThrowAnyException();
        }
    }

    @Test
    void no_probe_is_sent_while_it_is_closed_nor_right_after_it_opened() {
        Circuit.Probe never = () -> {
            throw new AssertionError("sent");
        };

        new Circuit(LATE).probe(never);
        opened(LATE).probe(never);
    }

    @Test
    void a_probe_without_an_answer_leaves_it_open_and_one_with_an_answer_closes_it() {
        Circuit circuit = opened(SOON);
        int[] probes = {0};
        while (circuit.isOpen()) {
            circuit.probe(() -> {
                if (++probes[0] < 4) {
                    throw new IOException("refused");
                }
            });
            assertThat(circuit.isOpen()).isEqualTo(probes[0] < 4);
        }
        assertThat(probes[0]).isEqualTo(4);
        circuit.admit();
    }

    @Test
    void the_answer_to_a_request_of_before_closes_nothing_and_breaks_nothing() {
        Circuit circuit = opened(LATE);

        circuit.answered();
        circuit.silent(new IOException("late"));

        assertThat(circuit.isOpen()).isTrue();
    }
}
