package org.treerename.local;

import java.nio.file.Path;

/** The folder {@code deploy/local} and its files. The scripts set the path of the folder as a system property. */
final class LocalFolder {

    private static final String PROPERTY = "tree-rename.local";

    private LocalFolder() {}

    private static Path local() {
        String given = System.getProperty(PROPERTY);
        return given == null ? Path.of("deploy", "local").toAbsolutePath() : Path.of(given);
    }

    /** Returns the root of the work tree. */
    static Path root() {
        return local().resolve("../..").normalize();
    }

    /** Returns the folder with the files of the running stack. */
    static Path run() {
        return local().resolve("run");
    }

    static Path stackEnv() {
        return run().resolve("stack.env");
    }

    /** Returns the file with the finished checks of the model checker. */
    static Path checked() {
        return local().resolveSibling("verify").resolve("protocol").resolve("checked.txt");
    }

    static Path demos() {
        return local().resolve("target");
    }
}
