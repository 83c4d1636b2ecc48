package org.treerename.crash;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.treerename.runtime.SystemTime;
import picocli.CommandLine.Option;

/**
 * The settings that make a process halt, freeze, fail or block at a crash point. Only the instrumented programs have
 * these settings.
 */
public final class CrashOptions {

    @Option(
            names = "--crash-at",
            paramLabel = "POINT[:N]",
            converter = CrashAt.Converter.class,
            description = "Halt the process like kill -9 when it reaches this point for the N-th time.")
    private @Nullable CrashAt crashAt;

    @Option(
            names = "--freeze-at",
            paramLabel = "POINT[:N]",
            converter = CrashAt.Converter.class,
            description = "Freeze the process until SIGCONT when it reaches this point for the N-th time.")
    private @Nullable CrashAt freezeAt;

    @Option(
            names = "--fail-at",
            paramLabel = "POINT[:N]",
            converter = CrashAt.Converter.class,
            description = "Throw an unexpected exception the first N times that the process reaches this point.")
    private @Nullable CrashAt failAt;

    @Option(
            names = "--gate-at",
            paramLabel = "POINT[:N][+]@FILE",
            converter = GateAt.Converter.class,
            description =
                    "When a thread reaches this point for the N-th time, create the file, and block the thread until the"
                            + " file is deleted. With +, also block the threads that reach this point later.")
    private @Nullable GateAt gateAt;

    /**
     * Returns the configured crash point; {@link CrashPoints#OFF} if none is configured.
     *
     * @throws IllegalArgumentException if more than one crash point is configured
     */
    public CrashPoints points() {
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
        if (configured.size() > 1) {
            throw new IllegalArgumentException(
                    "only one of --crash-at, --freeze-at, --fail-at and --gate-at is allowed, found "
                            + configured.size());
        }
        return configured.getFirst();
    }
}
