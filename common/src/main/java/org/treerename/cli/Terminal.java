package org.treerename.cli;

import java.io.Console;
import java.util.Optional;

/** Prints questions to the user on the terminal of this process, and reads the answers. */
public interface Terminal {

    /**
     * Prints a question and returns the line that the user types. Returns empty if there is no terminal, or if the
     * input has ended.
     */
    Optional<String> ask(String question);

    /** Returns whether this process has a terminal. */
    boolean isThere();

    /** Returns the terminal that is connected to standard input and standard output. */
    @SuppressWarnings("SystemConsoleNull") // with the property below, System.console() may be null
    static Terminal ofProcess() {
        // without this property, some versions of Java return a console although the process has no terminal
        System.setProperty("jdk.console", "java.base");
        Console console = System.console();
        return new Terminal() {
            @Override
            public Optional<String> ask(String question) {
                return console == null ? Optional.empty() : Optional.ofNullable(console.readLine("%s", question));
            }

            @Override
            public boolean isThere() {
                return console != null;
            }
        };
    }
}
