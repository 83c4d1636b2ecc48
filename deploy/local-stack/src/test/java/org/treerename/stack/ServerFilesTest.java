package org.treerename.stack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServerFilesTest {
    private static final Path JAVA_HOME = Path.of(System.getProperty("java.home"));

    @TempDir
    private Path cache;

    @Test
    void a_half_unpacked_elasticsearch_is_none() throws IOException {
        Path lib = Files.createDirectories(home().resolve("lib"));
        Files.createFile(lib.resolve(jar()));

        assertThatThrownBy(() -> new ServerFiles(cache).elasticsearch())
                .hasMessageContaining("Expected a whole Elasticsearch in " + home());
    }

    @Test
    void a_whole_elasticsearch_is_found_by_the_marker_in_it() throws IOException {
        Path lib = Files.createDirectories(home().resolve("lib"));
        Files.createFile(lib.resolve(jar()));
        Files.createFile(Files.createDirectories(home().resolve(".unpacked")).resolve("marker"));

        assertThat(new ServerFiles(cache).elasticsearch()).isEqualTo(home());
    }

    @Test
    void another_version_than_the_builds_is_none() throws IOException {
        Files.createFile(Files.createDirectories(home().resolve(".unpacked")).resolve("marker"));

        assertThatThrownBy(() -> new ServerFiles(cache).elasticsearch()).hasMessageContaining(jar() + ", found none");
    }

    @Test
    void missing_jars_of_kafka_are_missed_by_their_folder() {
        assertThatThrownBy(() -> new ServerFiles(cache).kafkaLibs())
                .hasMessageContaining(cache.resolve("kafka-" + new ServerFiles(cache).named("kafka.version"))
                        .toString())
                .hasMessageContaining("run the project's build once");
    }

    @Test
    void a_java_that_is_too_old_is_refused_by_its_name() {
        assertThatThrownBy(() -> JavaExecutable.find(JAVA_HOME, 17))
                .hasMessageContaining("need Java 21 or newer, but " + JAVA_HOME + " is Java 17");
    }

    @Test
    void a_java_without_an_executable_is_refused() {
        assertThatThrownBy(() -> JavaExecutable.find(cache, 25))
                .hasMessageContaining("there is no executable " + cache.resolve("bin/java"));
    }

    private Path home() {
        return cache.resolve(new ServerFiles(cache).named("elasticsearch.folder"));
    }

    private String jar() {
        return "elasticsearch-" + new ServerFiles(cache).named("elasticsearch.version") + ".jar";
    }
}
