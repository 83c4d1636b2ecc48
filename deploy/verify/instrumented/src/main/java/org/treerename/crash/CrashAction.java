package org.treerename.crash;

import java.io.IOException;
import java.io.UncheckedIOException;

/** The action of a process at its crash point. */
enum CrashAction implements Runnable {
    /** Ends the process at once, without shutdown hooks and with exit code 137, like {@code kill -9}. */
    HALT {
        @Override
        public void run() {
            Runtime.getRuntime().halt(KILLED);
        }
    },
    /** Stops all threads of the process until it receives SIGCONT. */
    FREEZE {
        @Override
        public void run() {
            String pid = String.valueOf(ProcessHandle.current().pid());
            try {
                // use the kill command of the shell, because not every image contains the program kill
                int exit = new ProcessBuilder("/bin/sh", "-c", "kill -STOP " + pid)
                        .inheritIO()
                        .start()
                        .waitFor();
                if (exit != 0) {
                    throw new IllegalStateException("kill -STOP " + pid + " failed: expected exit code 0, was " + exit);
                }
            } catch (IOException e) {
                throw new UncheckedIOException("cannot freeze this process", e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    };

    private static final int KILLED = 137;
}
