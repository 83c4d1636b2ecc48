package org.treerename.stack;

import java.nio.file.Files;
import java.nio.file.Path;

/** The Java that children run on: the one that this process runs on. */
final class JavaExecutable {
    private static final int OLDEST = 21;

    private JavaExecutable() {}

    static Path find() {
        return find(Path.of(System.getProperty("java.home")), Runtime.version().feature());
    }

    static Path find(Path home, int version) {
        if (version < OLDEST) {
            throw new IllegalStateException("Servers are started with the Java that runs this, and need Java " + OLDEST
                    + " or newer, but " + home + " is Java " + version + ": start this with a newer Java");
        }
        Path executable = home.resolve("bin").resolve("java");
        if (!Files.isExecutable(executable)) {
            throw new IllegalStateException(
                    "Servers are started with the Java that runs this, but there is no executable " + executable
                            + ": start this with a complete Java " + OLDEST + " or newer");
        }
        return executable;
    }
}
