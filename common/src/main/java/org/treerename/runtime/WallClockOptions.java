package org.treerename.runtime;

import java.time.Duration;
import java.util.Map;
import java.util.Set;
import picocli.CommandLine.Option;

/**
 * The two settings that make the wall clock of a process wrong, to show that nothing depends on it. They are refused if {@link
 * Settings#TEST_STACK} is not {@code true} in the environment. Only tests and the local stack set this variable.
 */
public final class WallClockOptions {

    /** The names of these options. Only tests and the demo use them, so no page of the documentation describes them. */
    public static final Set<String> NAMES = Set.of("--wall-clock-ahead", "--wall-clock-behind");

    @Option(
            names = "--wall-clock-ahead",
            defaultValue = "0s",
            converter = DurationConverter.class,
            description = "For tests: how far this process's wall clock is ahead of the machine's.")
    private Duration ahead = Duration.ZERO;

    @Option(
            names = "--wall-clock-behind",
            defaultValue = "0s",
            converter = DurationConverter.class,
            description = "For tests: how far this process's wall clock is behind the machine's.")
    private Duration behind = Duration.ZERO;

    /**
     * Returns the clocks of this process.
     *
     * @throws IllegalArgumentException if the wall clock shall be wrong, outside tests and the local stack
     */
    public Time time(Map<String, String> environment) {
        Duration wrongBy = ahead.minus(behind);
        if (!wrongBy.isZero()) {
            Settings.requireTestStack(environment, "--wall-clock-ahead and --wall-clock-behind");
        }
        return new SystemTime(wrongBy);
    }
}
