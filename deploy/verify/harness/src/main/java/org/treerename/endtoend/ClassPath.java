package org.treerename.endtoend;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The class path for the processes that tests start. */
final class ClassPath {

    private ClassPath() {}

    /** Returns the class path of the tests. */
    static List<String> entries() {
        return List.of(System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"))
                .split(File.pathSeparator));
    }

    /** Returns only the JAR files in the class path of the tests. */
    static List<String> jars() {
        return entries().stream()
                .filter(entry -> Files.isRegularFile(Path.of(entry)))
                .toList();
    }
}
