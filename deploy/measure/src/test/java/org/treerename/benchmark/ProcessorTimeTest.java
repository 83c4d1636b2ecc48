package org.treerename.benchmark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ProcessorTimeTest {

    private final Map<Role, List<Long>> processes = new HashMap<>(
            Map.of(Role.ELASTICSEARCH, List.of(1L), Role.WORKERS, List.of(2L, 3L), Role.CLIENT, List.of(4L)));
    private final Map<Long, Integer> millis = new HashMap<>(Map.of(1L, 100, 2L, 10, 3L, 20, 4L, 5));
    private final ProcessorTime time =
            new ProcessorTime(() -> processes, pid -> Duration.ofMillis(millis.getOrDefault(pid, 0)));

    @Test
    void adds_up_the_processor_time_of_the_processes_of_a_role_between_two_readings() {
        ProcessorTime.Reading before = time.read();
        millis.putAll(Map.of(1L, 350, 2L, 60, 3L, 120));

        assertThat(time.read().since(before))
                .isEqualTo(Map.of(
                        Role.ELASTICSEARCH,
                        Duration.ofMillis(250),
                        Role.WORKERS,
                        Duration.ofMillis(150),
                        Role.KAFKA,
                        Duration.ZERO,
                        Role.CLIENT,
                        Duration.ZERO));
    }

    @Test
    void refuses_readings_of_different_processes() {
        ProcessorTime.Reading before = time.read();
        processes.put(Role.WORKERS, List.of(2L, 5L));

        assertThatThrownBy(() -> time.read().since(before))
                .hasMessageContaining("3=WORKERS")
                .hasMessageContaining("5=WORKERS");
    }

    @Test
    void refuses_a_process_that_has_ended() {
        ProcessorTime ended = new ProcessorTime(() -> Map.of(Role.KAFKA, List.of(Long.MAX_VALUE)));

        assertThatThrownBy(ended::read).hasMessageContaining("ended during the measurement of its processor time");
    }
}
