package org.treerename.benchmark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class ProcStatTest {

    @Test
    void adds_user_and_kernel_time_of_a_process_whose_name_has_spaces_and_parentheses() {
        String text = "4711 (a (b) c) S 1 4711 4711 0 -1 4194560 9 8 7 6 123 45 1000 2000 20 0 33 0 99 1 2 3\n";

        assertThat(ProcStat.parse(text)).isEqualTo(new ProcStat("a (b) c", Duration.ofMillis(1_680)));
    }

    @Test
    void refuses_a_truncated_text() {
        assertThatThrownBy(() -> ProcStat.parse("4711 (java) S 1 4711"))
                .hasMessageContaining("found \"4711 (java) S 1 4711\"");
    }

    @Test
    void reads_the_same_time_of_this_process_as_the_jvm_reports() {
        Duration before = known();
        Duration read = ProcStat.of(ProcessHandle.current().pid()).orElseThrow().processor();
        Duration after = known();

        assertThat(read).isBetween(before.minus(ProcStat.TICK), after.plus(ProcStat.TICK));
    }

    @Test
    void finds_no_process_with_an_impossible_id() {
        assertThat(ProcStat.of(Long.MAX_VALUE)).isEmpty();
    }

    private static Duration known() {
        return ProcessHandle.current().info().totalCpuDuration().orElseThrow();
    }
}
