package org.treerename.endtoend;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The class path of the processes that tests start, and archives of their classes. An archive halves the cost of a
 * start.
 */
final class ClassPath {

    private ClassPath() {}

    /** The class path of the tests. */
    static List<String> entries() {
        return List.of(System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"))
                .split(File.pathSeparator));
    }

    /** The class path of the tests without its folders. */
    static List<String> jars() {
        return entries().stream()
                .filter(entry -> Files.isRegularFile(Path.of(entry)))
                .toList();
    }

    /**
     * The options of a JVM that reads its classes from an archive. The first JVM that exits writes the archive. A JVM
     * ignores the archive if its class path or its Java version differs. The class path must be {@link #jars()}.
     */
    static List<String> archive(String mainClass) {
        return List.of(
                "-XX:+AutoCreateSharedArchive",
                "-XX:SharedArchiveFile=" + Path.of("target", mainClass + ".jsa"),
                // without this option the JVM writes messages to the standard output of the program
                "-Xlog:disable");
    }
}
