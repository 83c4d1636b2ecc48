package org.treerename.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.treerename.runtime.Time;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

final class WallClockOptionsTest {

    private static final Map<String, String> TEST = Map.of(Settings.TEST_STACK, "true");

    @Test
    void without_options_uses_the_clock_of_the_machine() {
        assertThat(options().time(Map.of()).now()).isCloseTo(Instant.now(), within(1, ChronoUnit.MINUTES));
    }

    @Test
    void shifts_the_wall_clock_in_a_test_and_not_the_monotonic_clock() {
        Time ahead = options("--wall-clock-ahead=1h").time(TEST);
        Time behind = options("--wall-clock-behind=1h").time(TEST);

        assertThat(Duration.between(behind.now(), ahead.now())).isCloseTo(Duration.ofHours(2), Duration.ofMinutes(1));
        long before = System.nanoTime();
        long shown = ahead.nanos();
        assertThat(shown - before).isNotNegative();
        assertThat(System.nanoTime() - shown).isNotNegative();
    }

    @Test
    void refuses_the_options_outside_tests() {
        assertThatThrownBy(() -> options("--wall-clock-ahead=1h").time(Map.of()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("--wall-clock-ahead and --wall-clock-behind are for tests: expected"
                        + " TREE_RENAME_TEST_STACK=true in the environment, found null");
        assertThatThrownBy(() -> options("--wall-clock-behind=1h").time(Map.of()))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Command
    private static final class Service {
        @Mixin
        private final WallClockOptions clock = new WallClockOptions();
    }

    private static WallClockOptions options(String... arguments) {
        Service service = new Service();
        new CommandLine(service).parseArgs(arguments);
        return service.clock;
    }
}
