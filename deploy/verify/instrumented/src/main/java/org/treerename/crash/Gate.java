package org.treerename.crash;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.treerename.runtime.Time;

/**
 * Blocks each thread that calls {@link #run}, until a test deletes a file. The other threads keep running, so the
 * heartbeats of the process continue. The file exists from the first run until the test deletes it.
 */
final class Gate implements Runnable {

    private static final Duration POLL = Duration.ofMillis(10);

    private final Path file;
    private final Time time;
    private boolean reached;

    Gate(Path file, Time time) {
        this.file = file;
        this.time = time;
    }

    /**
     * Creates the file at the first run, so that the test sees that the point is reached. Returns when the file is
     * deleted.
     */
    @Override
    public void run() {
        createOnce();
        while (Files.exists(file) && !Thread.currentThread().isInterrupted()) {
            time.pause(POLL);
        }
    }

    private synchronized void createOnce() {
        if (reached) {
            return;
        }
        reached = true;
        try {
            Files.createFile(file);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot create the file " + file + " of the gate", e);
        }
    }
}
