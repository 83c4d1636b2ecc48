package org.treerename.instrumented;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.treerename.crash.CrashPoints;
import org.treerename.runtime.ManualTime;
import org.treerename.runtime.Time;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

final class WallClockOptionsTest {

    private static final Instant NOW = Instant.parse("2026-03-01T10:00:00Z");

    private final ManualTime machine = ManualTime.startingAt(NOW.toString());

    @Test
    void without_options_uses_the_clock_of_the_machine() {
        assertThat(time().now()).isEqualTo(NOW);
    }

    @Test
    void shifts_the_wall_clock_and_not_the_monotonic_clock() {
        Time ahead = time("--wall-clock-ahead=1h");
        Time behind = time("--wall-clock-behind=2h");

        assertThat(ahead.now()).isEqualTo(NOW.plus(Duration.ofHours(1)));
        assertThat(behind.now()).isEqualTo(NOW.minus(Duration.ofHours(2)));
        assertThat(ahead.nanos()).isEqualTo(machine.nanos());
    }

    @Test
    void waits_as_the_clock_of_the_machine_does() {
        time("--wall-clock-ahead=1h").pause(Duration.ofSeconds(3));

        assertThat(machine.now()).isEqualTo(NOW.plusSeconds(3));
    }

    @Command
    private static final class Service {
        @Mixin
        private final WallClockOptions clock = new WallClockOptions();
    }

    /** Returns the clocks of a process with these options. */
    private Time time(String... arguments) {
        Service service = new Service();
        new CommandLine(service).parseArgs(arguments);
        return Instruments.ofWorker(CrashPoints.OFF, service.clock.ahead()).time(machine);
    }
}
