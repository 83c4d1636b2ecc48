package org.treerename.stack;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;
import java.util.stream.Stream;

/**
 * Where the build has put the servers' programs: the folder of the system property {@code tree-rename.cache}, or
 * {@code ~/.cache/tree-rename}. The versions are the build's own.
 *
 * <p>What the build was interrupted in is not there: Elasticsearch counts when the build's marker lies in it, Kafka's
 * {@code libs} comes into being by a rename.
 */
final class ServerFiles {
    private static final String HINT =
            "; run the project's build once: mvn -pl deploy/local-stack -am process-resources";

    private final Path cache;
    private final Properties versions = new Properties();

    ServerFiles(Path cache) {
        this.cache = cache;
        try (InputStream in = ServerFiles.class.getResourceAsStream("servers.properties")) {
            if (in == null) {
                throw new IllegalStateException("Expected servers.properties beside " + ServerFiles.class);
            }
            versions.load(in);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static ServerFiles inCache() {
        String cache = System.getProperty("tree-rename.cache", "");
        return new ServerFiles(
                cache.isBlank() ? Path.of(System.getProperty("user.home"), ".cache", "tree-rename") : Path.of(cache));
    }

    /** Elasticsearch's home. */
    Path elasticsearch() {
        Path home = cache.resolve(named("elasticsearch.folder")).toAbsolutePath();
        if (!holdsAnything(home.resolve(".unpacked"))) {
            throw new IllegalStateException("Expected a whole Elasticsearch in " + home + ", found none" + HINT);
        }
        Path jar = home.resolve("lib").resolve("elasticsearch-" + named("elasticsearch.version") + ".jar");
        if (!Files.isRegularFile(jar)) {
            throw new IllegalStateException(
                    "Expected " + jar + ", found none: either elasticsearch.server.version is not"
                            + " the version that is in elasticsearch.carrier.version, or the folder is damaged: delete it"
                            + HINT);
        }
        return home;
    }

    /** The folder of the jars that Kafka's broker runs on. */
    Path kafkaLibs() {
        Path libs =
                cache.resolve("kafka-" + named("kafka.version")).resolve("libs").toAbsolutePath();
        if (!holdsAnything(libs)) {
            throw new IllegalStateException("Expected the jars of Kafka's broker in " + libs + ", found none" + HINT);
        }
        return libs;
    }

    /** Of the file that the build has filled in. */
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
