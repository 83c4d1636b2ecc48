package org.treerename.producer.cli;

import java.io.PrintWriter;

/**
 * A message that is printed if a signal ends the process during a wait. The message contains the request id, so that
 * the user can send the request again.
 */
final class ExitMessage {

    private final Thread hook;

    /** Registers a shutdown hook that prints the message. */
    ExitMessage(PrintWriter err, String message) {
        hook = new Thread(
                () -> {
                    err.println(message);
                    err.flush();
                },
                "exit-message");
        Runtime.getRuntime().addShutdownHook(hook);
    }

    void withdraw() {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // the process is ending, and the hook prints the message
            return;
        }
    }
}
