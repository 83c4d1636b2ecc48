package org.treerename.crash;

import java.io.IOException;
import java.io.UncheckedIOException;

/** What happens to the process at its crash point. */
enum CrashAction implements Runnable {
    /** Ends it at once, without shutdown hooks, as {@code kill -9} would, and with the exit code that this would give. */
    HALT {
        @Override
        public void run() {
            Runtime.getRuntime().halt(KILLED);
        }
    },
    /** Stops all its threads until somebody sends SIGCONT. */
    FREEZE {
        @Override
        public void run() {
            String pid = String.valueOf(ProcessHandle.current().pid());
            try {
                // the shell's own kill: not every image has the program
                int exit = new ProcessBuilder("/bin/sh", "-c", "kill -STOP " + pid)
                        .inheritIO()
                        .start()
                        .waitFor();
                if (exit != 0) {
                    throw new IllegalStateException("kill -STOP " + pid + " ended with " + exit);
                }
            } catch (IOException e) {
                throw new UncheckedIOException("this process cannot be frozen", e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    };

    private static final int KILLED = 137;
}
