package org.treerename.local;

import java.nio.file.Path;

/**
 * Returns the paths of files in the folder {@code deploy}. The scripts set the paths of this folder and of the folder of
 * the local stack as system properties.
 */
final class DeployFolder {

    private DeployFolder() {}

    private static Path deploy() {
        String given = System.getProperty("tree-rename.deploy");
        return given == null ? Path.of("deploy").toAbsolutePath() : Path.of(given);
    }

    /** Returns the root of the work tree. */
    static Path root() {
        return deploy().resolve("..").normalize();
    }

    /** Returns the folder with the files that the commands write. */
    static Path output() {
        return deploy().resolve("output");
    }

    /** Returns the folder of the local stack: the files of the running stack, its data and its logs. */
    static Path stack() {
        String given = System.getProperty("tree-rename.stack");
        return given == null ? output() : Path.of(given).toAbsolutePath();
    }

    static Path stackEnv() {
        return stack().resolve("stack.env");
    }

    /** Returns the file in which {@link ModelCheck} records the finished checks. */
    static Path checked() {
        return deploy().resolve("verify/protocol/checked.txt");
    }
}
