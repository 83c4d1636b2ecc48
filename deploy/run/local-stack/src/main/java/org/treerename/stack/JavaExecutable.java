package org.treerename.stack;

import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Finds the Java executable for the child processes: the executable of this process. Throws an exception if the version
 * of Java is too old.
 */
final class JavaExecutable {
    private static final int OLDEST = 21;

    private JavaExecutable() {}

    static Path find() {
        return find(Path.of(System.getProperty("java.home")), Runtime.version().feature());
    }

    static Path find(Path home, int version) {
        if (version < OLDEST) {
            throw new IllegalStateException("The servers use the Java of this program. They need Java " + OLDEST
                    + " or newer, but " + home + " is Java " + version + ": start this program with a newer Java");
        }
        Path executable = home.resolve("bin").resolve("java");
        if (!Files.isExecutable(executable)) {
            throw new IllegalStateException("The servers use the Java of this program, but there is no executable "
                    + executable + ": start this program with a complete installation of Java " + OLDEST + " or newer");
        }
        return executable;
    }
}
