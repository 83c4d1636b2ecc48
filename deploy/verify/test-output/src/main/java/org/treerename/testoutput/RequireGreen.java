package org.treerename.testoutput;

import java.nio.file.Path;
import java.util.List;

/** Fails the last module of the build if a test of any module failed, or did not finish. */
public final class RequireGreen {

    private RequireGreen() {}

    /**
     * Checks the files of all modules.
     *
     * @param arguments the root folder of the project
     * @throws IllegalStateException if a module has a line of a failed test
     */
    public static void main(String[] arguments) {
        List<String> failed = Notes.read(Path.of(arguments[0]), Notes.FAILED);
        if (!failed.isEmpty()) {
            throw new IllegalStateException(
                    "expected no failed test, found " + failed.size() + "; the last lines of the build name them");
        }
    }
}
