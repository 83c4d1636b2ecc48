package org.treerename.crash;

import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.treerename.runtime.Settings;
import picocli.CommandLine.Option;

/**
 * The settings that make a process die or freeze at a point, or fail there. Refused where {@link Settings#TEST_STACK} is not {@code
 * true} in the environment: only tests and the local stack set it.
 */
public final class CrashOptions {

    /** They are not settings of a service that anybody runs, and stand in no README. */
    public static final Set<String> NAMES = Set.of("--crash-at", "--freeze-at", "--fail-at");

    @Option(
            names = "--crash-at",
            paramLabel = "POINT[:N]",
            converter = CrashAt.Converter.class,
            description = "For tests: halt, as kill -9 would, when this point is reached for the N-th time.")
    private @Nullable CrashAt crashAt;

    @Option(
            names = "--freeze-at",
            paramLabel = "POINT[:N]",
            converter = CrashAt.Converter.class,
            description = "For tests: freeze until SIGCONT when this point is reached for the N-th time.")
    private @Nullable CrashAt freezeAt;

    @Option(
            names = "--fail-at",
            paramLabel = "POINT[:N]",
            converter = CrashAt.Converter.class,
            description = "For tests: fail unexpectedly when this point is reached, the first N times.")
    private @Nullable CrashAt failAt;

    /**
     * What is asked for; {@link CrashPoints#OFF} if nothing is.
     *
     * @throws IllegalArgumentException if this is no test, or both are asked for
     */
    public CrashPoints points(Map<String, String> environment) {
        CrashAt halting = crashAt;
        CrashAt freezing = freezeAt;
        if (halting != null && freezing != null) {
            throw new IllegalArgumentException("expected one of --crash-at and --freeze-at, found both");
        }
        CrashAt failing = failAt;
        if (failing != null) {
            return inTests(environment, CrashPoints.failingUpTo(failing));
        }
        if (halting != null) {
            return inTests(environment, new CrashPoints(halting, CrashAction.HALT));
        }
        return freezing == null ? CrashPoints.OFF : inTests(environment, new CrashPoints(freezing, CrashAction.FREEZE));
    }

    private static CrashPoints inTests(Map<String, String> environment, CrashPoints points) {
        Settings.requireTestStack(environment, "--crash-at, --freeze-at and --fail-at");
        return points;
    }
}
