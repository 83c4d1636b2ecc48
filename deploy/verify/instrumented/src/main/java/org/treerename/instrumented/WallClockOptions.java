package org.treerename.instrumented;

import java.time.Duration;
import org.treerename.cli.DurationConverter;
import picocli.CommandLine.Option;

/**
 * The two settings that make the wall clock of a process wrong. Tests use a wrong clock to show that no decision
 * depends on this clock. Only the instrumented programs have these settings.
 */
final class WallClockOptions {

    @Option(
            names = "--wall-clock-ahead",
            defaultValue = "0s",
            converter = DurationConverter.class,
            description = "How far the wall clock of this process is ahead of the wall clock of the machine.")
    private Duration ahead = Duration.ZERO;

    @Option(
            names = "--wall-clock-behind",
            defaultValue = "0s",
            converter = DurationConverter.class,
            description = "How far the wall clock of this process is behind the wall clock of the machine.")
    private Duration behind = Duration.ZERO;

    /** Returns how far the wall clock of this process is ahead of the correct time; negative if the clock is behind. */
    Duration ahead() {
        return ahead.minus(behind);
    }
}
