package org.treerename.crash;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.treerename.runtime.Time;

/**
 * Blocks the thread that runs it until a test deletes a file. The other threads of the process run on, so its heartbeats
 * continue.
 *
 * @param file exists exactly while a thread is blocked here
 */
record Gate(Path file, Time time) implements Runnable {

    private static final Duration POLL = Duration.ofMillis(10);

    /** Creates the file, which shows the test that the point is reached, and returns when the file is gone. */
    @Override
    public void run() {
        try {
            Files.createFile(file);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot create the file of the gate", e);
        }
        while (Files.exists(file) && !Thread.currentThread().isInterrupted()) {
            time.pause(POLL);
        }
    }
}
