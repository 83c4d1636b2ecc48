package org.treerename.testoutput;

import java.nio.file.Path;
import java.util.List;

/** Fails the last module of the build if a test in a module failed or did not finish. */
public final class RequireGreen {

    private RequireGreen() {}

    /**
     * Reads the files {@link Notes#FAILED} of all modules.
     *
     * @param arguments the root folder of the project
     * @throws IllegalStateException if one of these files contains a line
     */
    public static void main(String[] arguments) {
        List<String> failed = Notes.read(Path.of(arguments[0]), Notes.FAILED);
        if (!failed.isEmpty()) {
            throw new IllegalStateException(
                    "expected no failed test, found " + failed.size() + "; see the last lines of the build");
        }
    }
}
