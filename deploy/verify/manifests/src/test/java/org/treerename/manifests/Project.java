package org.treerename.manifests;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Finds files of the project by their paths relative to this module, and reads the version of the project from its pom.
 */
final class Project {

    private static final Path ROOT = Path.of("..", "..", "..");
    private static final Pattern VERSION =
            Pattern.compile("<artifactId>tree-rename</artifactId>\\s*<version>([^<]+)</version>");

    private Project() {}

    /** Returns the path of a folder or a file below deploy/run/kubernetes. */
    static Path manifests(String folder) {
        return ROOT.resolve("deploy/run/kubernetes").resolve(folder);
    }

    static Path file(String path) {
        return ROOT.resolve(path);
    }

    /** Returns the version that the pom of the project declares. */
    static String version() {
        Matcher version = VERSION.matcher(Yaml.text(file("pom.xml")));
        if (!version.find()) {
            throw new IllegalStateException("expected a version of tree-rename in pom.xml, found none");
        }
        return version.group(1);
    }

    /** Returns the path of a test resource, which must exist. */
    static Path resource(String name) {
        Path file = Path.of("src/test/resources/org/treerename/manifests", name);
        if (!Files.exists(file)) {
            throw new IllegalArgumentException("there is no " + file);
        }
        return file;
    }

    /** Returns the text of a documentation page. */
    static String page(String path) {
        return Yaml.text(file(path));
    }
}
