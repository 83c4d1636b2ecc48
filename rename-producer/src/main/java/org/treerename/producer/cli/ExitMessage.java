package org.treerename.producer.cli;

import java.io.PrintWriter;

/** The last words of a process that is ended while it waits: the request id, so that one can ask again. */
final class ExitMessage {

    private final Thread hook;

    /** From now on it is said when the process is ended by a signal. */
    ExitMessage(PrintWriter err, String sentence) {
        hook = new Thread(
                () -> {
                    err.println(sentence);
                    err.flush();
                },
                "farewell");
        Runtime.getRuntime().addShutdownHook(hook);
    }

    void withdraw() {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // it is being said
            return;
        }
    }
}
