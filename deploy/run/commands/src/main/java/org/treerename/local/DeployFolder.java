package org.treerename.local;

import java.nio.file.Path;

/**
 * Returns the paths of files in the folder {@code deploy}. The scripts set the path of the folder as a system property.
 */
final class DeployFolder {

    private static final String PROPERTY = "tree-rename.deploy";

    private DeployFolder() {}

    private static Path deploy() {
        String given = System.getProperty(PROPERTY);
        return given == null ? Path.of("deploy").toAbsolutePath() : Path.of(given);
    }

    /** Returns the root of the work tree. */
    static Path root() {
        return deploy().resolve("..").normalize();
    }

    /** Returns the folder with the files that the commands write, for example the files of the running stack. */
    static Path output() {
        return deploy().resolve("output");
    }

    static Path stackEnv() {
        return output().resolve("stack.env");
    }

    /** Returns the file in which {@link ModelCheck} records the finished checks. */
    static Path checked() {
        return deploy().resolve("verify/protocol/checked.txt");
    }
}
