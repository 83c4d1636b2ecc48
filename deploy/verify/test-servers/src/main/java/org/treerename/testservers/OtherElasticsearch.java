package org.treerename.testservers;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;
import org.treerename.stack.ServerFiles;

/**
 * An Elasticsearch of another version than the Elasticsearch of the local stack. Maven Central has other versions only
 * without Painless. So this class adds the module {@code lang-painless} of the local stack's Elasticsearch. Everything
 * else is of the other version.
 *
 * <p>Three changes let the other version load this module:
 * <ul>
 *   <li>The descriptor names the other version, because Elasticsearch loads only modules of its own version. The
 *       descriptor lacks the property {@code deployment.target}, which 9.2 refuses.
 *   <li>The module contains the class {@code LegacyActionRequest} if the other version does not have this class.
 *   <li>The module is not a named Java module, because only then may it contain a class from a package of
 *       Elasticsearch.
 * </ul>
 *
 * <p>The changed module stays in the cache of the build. After a change of this class, delete the folders of the other
 * versions in the cache.
 */
final class OtherElasticsearch {
    private static final String MODULE = "modules/lang-painless";
    private static final String MISSING_CLASS = "org/elasticsearch/action/LegacyActionRequest.class";
    private static final List<String> LEFT_OUT = List.of("modulename=", "deployment.target=");
    private static final String VERSION = "elasticsearch.version=";

    private OtherElasticsearch() {}

    /** Returns the home folder of this version, with Painless. The build must have unpacked the version. */
    static Path home(String version) {
        ServerFiles files = ServerFiles.inCache();
        Path home = files.elasticsearch(version);
        try {
            if (!Files.isDirectory(home.resolve(MODULE))) {
                addPainless(files, home, version);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot add Painless to " + home, e);
        }
        return home;
    }

    /** Renames a complete copy of the module, so that the module is complete in every process. */
    private static void addPainless(ServerFiles files, Path home, String version) throws IOException {
        Path tested = files.elasticsearch();
        Path copy = Files.createDirectory(home.resolve("lang-painless-" + UUID.randomUUID()));
        Folders.copy(tested.resolve(MODULE), copy);
        changeLines(
                copy.resolve("plugin-descriptor.properties"),
                lines -> lines.filter(line -> LEFT_OUT.stream().noneMatch(line::startsWith))
                        .map(line -> line.startsWith(VERSION) ? VERSION + version : line));
        changeLines(
                copy.resolve("entitlement-policy.yaml"),
                lines -> lines.map(line -> line.replace("org.elasticsearch.painless:", "ALL-UNNAMED:")));
        addMissingClass(
                serverJar(tested, files.elasticsearchVersion()),
                serverJar(home, version),
                copy.resolve("missing-class.jar"));
        try {
            Files.move(copy, home.resolve(MODULE), StandardCopyOption.ATOMIC_MOVE);
        } catch (FileSystemException e) {
            if (!Files.isDirectory(home.resolve(MODULE))) {
                throw e;
            }
            // another process was faster; its module is the same
            Folders.delete(copy);
        }
    }

    private interface Change {
        Stream<String> of(Stream<String> lines);
    }

    private static void changeLines(Path file, Change change) throws IOException {
        Files.write(file, change.of(Files.readAllLines(file).stream()).toList());
    }

    private static Path serverJar(Path home, String version) {
        return home.resolve("lib").resolve("elasticsearch-" + version + ".jar");
    }

    private static void addMissingClass(Path tested, Path other, Path jar) throws IOException {
        try (ZipFile from = new ZipFile(tested.toFile());
                ZipFile to = new ZipFile(other.toFile())) {
            if (to.getEntry(MISSING_CLASS) != null) {
                return;
            }
            try (OutputStream file = Files.newOutputStream(jar);
                    ZipOutputStream zip = new ZipOutputStream(file)) {
                zip.putNextEntry(new ZipEntry(MISSING_CLASS));
                from.getInputStream(from.getEntry(MISSING_CLASS)).transferTo(zip);
            }
        }
    }
}
