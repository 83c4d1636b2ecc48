package org.treerename.local;

import java.nio.file.Path;

/** The folder {@code deploy/local}, which the scripts name by a system property, and what lies below it. */
final class LocalFolder {

    private static final String PROPERTY = "tree-rename.local";

    private LocalFolder() {}

    private static Path local() {
        String given = System.getProperty(PROPERTY);
        return given == null ? Path.of("deploy", "local").toAbsolutePath() : Path.of(given);
    }

    /** Where the running stack tells about itself. */
    static Path run() {
        return local().resolve("run");
    }

    static Path stackEnv() {
        return run().resolve("stack.env");
    }

    static Path demos() {
        return local().resolve("target");
    }
}
