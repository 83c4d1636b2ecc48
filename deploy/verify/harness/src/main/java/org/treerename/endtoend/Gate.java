package org.treerename.endtoend;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.UUID;
import org.awaitility.Awaitility;
import org.treerename.crash.CrashPoint;

/**
 * Blocks a rename in a worker or a janitor at a crash point until the test opens the gate. The process is not blocked:
 * its heartbeats and its other renames continue. A process can have only one gate. The process must run an instrumented
 * program ({@link Program}).
 */
final class Gate {

    private final CrashPoint point;
    private final int nth;
    private final boolean andLater;
    private final Path file;

    private Gate(CrashPoint point, int nth, boolean andLater, Path file) {
        this.point = point;
        this.nth = nth;
        this.andLater = andLater;
        this.file = file;
    }

    /**
     * Creates a gate that blocks one rename.
     *
     * @param nth the gate blocks the rename that reaches the point for the n-th time; 1 is the first time
     */
    static Gate at(CrashPoint point, int nth) {
        return new Gate(point, nth, false, file());
    }

    /** Creates a gate that blocks each rename that reaches the point for the n-th time or later. */
    static Gate fromOn(CrashPoint point, int nth) {
        return new Gate(point, nth, true, file());
    }

    private static Path file() {
        try {
            Path folder = Files.createDirectories(Path.of("target", "gates").toAbsolutePath());
            return folder.resolve(UUID.randomUUID().toString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the option that names this gate on the command line of the process. */
    String option() {
        return "--gate-at=" + point + ":" + nth + (andLater ? "+@" : "@") + file;
    }

    /** Waits until a rename is blocked at this gate. */
    void awaitReached() {
        Awaitility.await(point + " is reached for the " + nth + ". time")
                .atMost(Log.PATIENCE)
                .until(() -> Files.exists(file));
    }

    /** Waits until a rename is blocked at one of these gates, and returns the gate that blocks the rename. */
    static Gate awaitAnyReached(Gate... gates) {
        return Awaitility.await("one of the gates is reached")
                .atMost(Log.PATIENCE)
                .until(
                        () -> Arrays.stream(gates)
                                .filter(gate -> Files.exists(gate.file))
                                .findFirst(),
                        Optional::isPresent)
                .orElseThrow();
    }

    /** Opens the gate, so that the blocked renames continue. */
    void open() {
        try {
            Files.delete(file);
        } catch (IOException e) {
            throw new UncheckedIOException("expected a blocked rename at " + point + ", found none", e);
        }
    }
}
