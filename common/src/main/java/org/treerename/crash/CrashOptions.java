package org.treerename.crash;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.treerename.cli.Settings;
import org.treerename.runtime.SystemTime;
import picocli.CommandLine.Option;

/**
 * The settings that make a process halt, freeze, fail or block at a point. A process refuses them if
 * {@link Settings#TEST_STACK} is not {@code true} in the environment. Only tests and the local stack set this variable.
 */
public final class CrashOptions {

    /** The names of these options. Only tests and the demo use them, so no page of the documentation describes them. */
    public static final Set<String> NAMES = Set.of("--crash-at", "--freeze-at", "--fail-at", "--gate-at");

    @Option(
            names = "--crash-at",
            paramLabel = "POINT[:N]",
            converter = CrashAt.Converter.class,
            description = "For tests: halt the process like kill -9 when it reaches this point for the N-th time.")
    private @Nullable CrashAt crashAt;

    @Option(
            names = "--freeze-at",
            paramLabel = "POINT[:N]",
            converter = CrashAt.Converter.class,
            description = "For tests: freeze the process until SIGCONT when it reaches this point for the N-th time.")
    private @Nullable CrashAt freezeAt;

    @Option(
            names = "--fail-at",
            paramLabel = "POINT[:N]",
            converter = CrashAt.Converter.class,
            description = "For tests: fail unexpectedly the first N times that the process reaches this point.")
    private @Nullable CrashAt failAt;

    @Option(
            names = "--gate-at",
            paramLabel = "POINT[:N][+]@FILE",
            converter = GateAt.Converter.class,
            description =
                    "For tests: when a thread reaches this point for the N-th time, create the file, and block the"
                            + " thread until the file is deleted. With +, also block the threads that reach this"
                            + " point later.")
    private @Nullable GateAt gateAt;

    /**
     * Returns the configured crash point; {@link CrashPoints#OFF} if none is configured.
     *
     * @throws IllegalArgumentException if a crash point is configured outside tests and the local stack, or if more
     *     than one is configured
     */
    public CrashPoints points(Map<String, String> environment) {
        List<CrashPoints> configured = new ArrayList<>();
        if (crashAt != null) {
            configured.add(new CrashPoints(crashAt, CrashAction.HALT));
        }
        if (freezeAt != null) {
            configured.add(new CrashPoints(freezeAt, CrashAction.FREEZE));
        }
        if (failAt != null) {
            configured.add(CrashPoints.failingUpTo(failAt));
        }
        if (gateAt != null) {
            configured.add(gateAt.points(new Gate(gateAt.file(), new SystemTime())));
        }
        if (configured.isEmpty()) {
            return CrashPoints.OFF;
        }
        Settings.requireTestStack(environment, "--crash-at, --freeze-at, --fail-at and --gate-at");
        if (configured.size() > 1) {
            throw new IllegalArgumentException(
                    "only one of --crash-at, --freeze-at, --fail-at and --gate-at is allowed, found "
                            + configured.size());
        }
        return configured.getFirst();
    }
}
