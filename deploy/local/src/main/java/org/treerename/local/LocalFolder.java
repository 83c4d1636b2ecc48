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

    /** The work tree. */
    static Path root() {
        return local().resolve("../..").normalize();
    }

    /** Where the running stack tells about itself. */
    static Path run() {
        return local().resolve("run");
    }

    static Path stackEnv() {
        return run().resolve("stack.env");
    }

    /** Where the checks that the model checker has made are recorded. */
    static Path checked() {
        return local().resolveSibling("protocol").resolve("checked.txt");
    }

    static Path demos() {
        return local().resolve("target");
    }
}
