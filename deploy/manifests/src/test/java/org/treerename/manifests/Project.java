package org.treerename.manifests;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Where things are. */
final class Project {

    private static final Path ROOT = Path.of("..", "..");
    private static final Pattern VERSION =
            Pattern.compile("<artifactId>tree-rename</artifactId>\\s*<version>([^<]+)</version>");

    private Project() {}

    /** Below deploy/kubernetes. */
    static Path manifests(String folder) {
        return ROOT.resolve("deploy/kubernetes").resolve(folder);
    }

    static Path file(String path) {
        return ROOT.resolve(path);
    }

    /** Of the whole project. */
    static String version() {
        Matcher version = VERSION.matcher(Yaml.text(file("pom.xml")));
        if (!version.find()) {
            throw new IllegalStateException("the project has no version");
        }
        return version.group(1);
    }

    /** One beside the tests. */
    static Path resource(String name) {
        Path file = Path.of("src/test/resources/org/treerename/manifests", name);
        if (!Files.exists(file)) {
            throw new IllegalArgumentException("there is no " + file);
        }
        return file;
    }

    /** Returns the text of a page of the documents. */
    static String page(String path) {
        return Yaml.text(file(path));
    }
}
