package org.treerename.stack;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;
import java.util.stream.Stream;

/**
 * Finds the programs of the servers in the cache of the build. The system property {@code tree-rename.cache} names the
 * folder of the cache. The default is {@code ~/.cache/tree-rename}. The build defines the versions of the servers.
 *
 * <p>Incomplete files of an interrupted build are never used. Elasticsearch is complete only if the marker of the build
 * exists in the folder {@code .unpacked}. Kafka's folder {@code libs} is always complete, because the build fills
 * another folder first, and then renames this folder to {@code libs}.
 */
public final class ServerFiles {
    private static final String HINT =
            "run the project's build once: mvn -pl deploy/run/local-stack -am process-resources";

    private final Path cache;
    private final Properties versions = new Properties();

    ServerFiles(Path cache) {
        this.cache = cache;
        try (InputStream in = ServerFiles.class.getResourceAsStream("servers.properties")) {
            if (in == null) {
                throw new IllegalStateException("Expected the resource servers.properties in the package of "
                        + ServerFiles.class + ", found none");
            }
            versions.load(in);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public static ServerFiles inCache() {
        String cache = System.getProperty("tree-rename.cache", "");
        return new ServerFiles(
                cache.isBlank() ? Path.of(System.getProperty("user.home"), ".cache", "tree-rename") : Path.of(cache));
    }

    /** Returns the version of the local stack's Elasticsearch. */
    public String elasticsearchVersion() {
        return named("elasticsearch.version");
    }

    /** Returns the home folder of the local stack's Elasticsearch. */
    public Path elasticsearch() {
        return elasticsearch(
                named("elasticsearch.folder"),
                elasticsearchVersion(),
                HINT,
                "Check in pom.xml that elasticsearch.carrier.version contains the version of Elasticsearch in"
                        + " elasticsearch.server.version. ");
    }

    /**
     * Returns the home folder of another version of Elasticsearch, to which tests add the Painless of the local stack's
     * Elasticsearch.
     */
    public Path elasticsearch(String version) {
        return elasticsearch(
                "elasticsearch-" + version + "-" + elasticsearchVersion(),
                version,
                "select a version that pom.xml names, and run once: mvn -pl deploy/verify/test-servers -am verify"
                        + " -DskipTests",
                "");
    }

    private Path elasticsearch(String folder, String version, String hint, String check) {
        Path home = cache.resolve(folder).toAbsolutePath();
        if (!holdsAnything(home.resolve(".unpacked"))) {
            throw new IllegalStateException("Expected a complete Elasticsearch in " + home + ", found none: " + hint);
        }
        Path jar = home.resolve("lib").resolve("elasticsearch-" + version + ".jar");
        if (!Files.isRegularFile(jar)) {
            throw new IllegalStateException(
                    "Expected " + jar + ", found none. " + check + "Delete " + home + ", then " + hint);
        }
        return home;
    }

    /** Returns the folder with the jars of Kafka's broker. */
    Path kafkaLibs() {
        Path libs =
                cache.resolve("kafka-" + named("kafka.version")).resolve("libs").toAbsolutePath();
        if (!holdsAnything(libs)) {
            throw new IllegalStateException("Expected the jars of Kafka's broker in " + libs + ", found none: " + HINT);
        }
        return libs;
    }

    /** Returns a value of {@code servers.properties}. The build writes the values into this file. */
    String named(String key) {
        String value = versions.getProperty(key);
        if (value == null) {
            throw new IllegalStateException("Expected " + key + " in servers.properties, found " + versions);
        }
        return value;
    }

    private static boolean holdsAnything(Path folder) {
        if (!Files.isDirectory(folder)) {
            return false;
        }
        try (Stream<Path> entries = Files.list(folder)) {
            return entries.findAny().isPresent();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
