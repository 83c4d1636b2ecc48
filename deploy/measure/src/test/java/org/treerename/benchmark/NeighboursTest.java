package org.treerename.benchmark;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.OutputStream;
import java.io.PrintStream;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.treerename.runtime.SystemTime;
import org.treerename.runtime.Time;

class NeighboursTest {

    private static final Duration LENGTH = Duration.ofSeconds(100);
    private static final String WHAT_ELSE = "what else used more than 3.00 % of a core during the run";

    private final Neighbours neighbours = new Neighbours();
    private final Time time = new SystemTime();
    private final Progress progress = new Progress(new PrintStream(OutputStream.nullOutputStream()), time);

    @Test
    void lists_the_programs_that_used_the_processor_during_the_run_busiest_first() {
        neighbours.sample(Map.of(1L, stat("java", 500), 2L, stat("sshd", 7)), Set.of(), 0.5);
        neighbours.sample(Map.of(1L, stat("java", 510), 2L, stat("sshd", 8), 3L, stat("javac", 40)), Set.of(), 2.5);

        assertThat(neighbours.describe(LENGTH))
                .isEqualTo(Map.of(
                        "load average, the run's own included",
                        "2.50 at the end, at most 2.50",
                        WHAT_ELSE,
                        "javac 40.0 %, java 10.0 %"));
    }

    @Test
    void adds_up_programs_of_one_name_also_if_they_have_ended() {
        neighbours.sample(Map.of(), Set.of(), 0);
        neighbours.sample(Map.of(4L, stat("javac", 2)), Set.of(), 1);
        neighbours.sample(Map.of(5L, stat("javac", 2)), Set.of(), 0);

        assertThat(neighbours.describe(LENGTH)).containsEntry(WHAT_ELSE, "javac 4.00 %");
    }

    @Test
    void leaves_out_processes_of_the_run_also_after_they_have_ended() {
        neighbours.sample(Map.of(1L, stat("java", 0)), Set.of(1L), 0);
        neighbours.sample(Map.of(1L, stat("java", 90)), Set.of(), 0);

        assertThat(neighbours.describe(LENGTH)).containsEntry(WHAT_ELSE, "nothing");
    }

    @Test
    void reads_the_load_average_and_a_value_in_the_format_of_linux() {
        assertThat(Machine.load("1.25 0.75 0.50 2/345 6789\n")).isEqualTo(1.25);
        assertThat(Machine.value("MemTotal:       24684096 kB\nMemFree: 1 kB\n", "MemTotal"))
                .isEqualTo("24684096 kB");
        assertThat(Machine.value("", "model name")).isEqualTo("unknown");
    }

    @Test
    void describes_the_machine() {
        try (Machine machine = Machine.watched(time, progress)) {
            assertThat(machine.describe().get("machine"))
                    .startsWith(Runtime.getRuntime().availableProcessors() + " processors")
                    .contains(" kB");
        }
    }

    private static ProcStat stat(String name, int seconds) {
        return new ProcStat(name, Duration.ofSeconds(seconds));
    }
}
