package org.treerename.cli;

import java.time.Duration;
import java.util.Map;
import java.util.Set;
import org.treerename.runtime.SystemTime;
import org.treerename.runtime.Time;
import picocli.CommandLine.Option;

/**
 * The two settings that make the wall clock of a process wrong. Tests use them to show that no decision depends on this
 * clock. They are refused if {@link Settings#TEST_STACK} is not {@code true} in the environment. Only tests and the
 * local stack set this variable.
 */
public final class WallClockOptions {

    /** The names of these options. Only tests and the demo use them, so no page of the documentation describes them. */
    public static final Set<String> NAMES = Set.of("--wall-clock-ahead", "--wall-clock-behind");

    @Option(
            names = "--wall-clock-ahead",
            defaultValue = "0s",
            converter = DurationConverter.class,
            description =
                    "For tests: how far the wall clock of this process is ahead of the wall clock of the" + " machine.")
    private Duration ahead = Duration.ZERO;

    @Option(
            names = "--wall-clock-behind",
            defaultValue = "0s",
            converter = DurationConverter.class,
            description = "For tests: how far the wall clock of this process is behind the wall clock of the machine.")
    private Duration behind = Duration.ZERO;

    /**
     * Returns the clocks of this process.
     *
     * @throws IllegalArgumentException if one of the settings is used outside tests and the local stack
     */
    public Time time(Map<String, String> environment) {
        Duration wrongBy = ahead.minus(behind);
        if (!wrongBy.isZero()) {
            Settings.requireTestStack(environment, "--wall-clock-ahead and --wall-clock-behind");
        }
        return new SystemTime(wrongBy);
    }
}
