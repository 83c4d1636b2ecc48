package org.treerename.local;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The Java files of all modules. */
final class JavaSources {

    private JavaSources() {}

    /**
     * Returns the Java files below the same folder of each module.
     *
     * @param folder the folder inside a module, for example {@code src/main}
     */
    static List<Path> filesBelow(Path root, String folder) throws IOException {
        try (Stream<Path> files = Files.walk(root)) {
            return files.filter(file -> file.toString().endsWith(".java"))
                    .filter(file -> {
                        String path = "/" + root.relativize(file);
                        return path.contains("/" + folder + "/") && !path.contains("/target/");
                    })
                    .sorted()
                    .toList();
        }
    }
}
