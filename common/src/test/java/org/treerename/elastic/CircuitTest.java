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
    void opens_when_no_request_is_answered_and_reports_it_once() {
        assertThatThrownBy(opened(LATE)::admit)
                .isInstanceOfSatisfying(
                        NoAnswerException.class, e -> assertThat(e.isReported()).isTrue());
    }

    @Test
    void one_answer_among_the_last_requests_keeps_the_circuit_closed() {
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
    void sends_no_probe_while_it_is_closed_or_right_after_it_has_opened() {
        Circuit.Probe never = () -> {
            throw new AssertionError("sent");
        };

        new Circuit(LATE).probe(never);
        opened(LATE).probe(never);
    }

    @Test
    void an_answered_probe_closes_the_circuit_and_an_unanswered_probe_does_not() {
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
    void an_answer_to_an_earlier_request_does_not_close_the_circuit() {
        Circuit circuit = opened(LATE);

        circuit.answered();
        circuit.silent(new IOException("late"));

        assertThat(circuit.isOpen()).isTrue();
    }
}
