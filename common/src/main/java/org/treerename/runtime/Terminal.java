package org.treerename.runtime;

import java.io.Console;
import java.util.Optional;

/** Whoever sits before this process. */
public interface Terminal {

    /** What is typed in answer to a question; empty where nobody sits there, or types nothing more. */
    Optional<String> ask(String question);

    boolean isThere();

    /** That of this process: of its standard input and its standard output. */
    @SuppressWarnings("SystemConsoleNull") // which it is again by the property
    static Terminal ofProcess() {
        // some versions of Java would otherwise tell of a console where there is none
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
