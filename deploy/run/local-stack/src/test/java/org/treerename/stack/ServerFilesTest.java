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
    void refuses_a_half_unpacked_elasticsearch() throws IOException {
        Path lib = Files.createDirectories(home().resolve("lib"));
        Files.createFile(lib.resolve(jar()));

        assertThatThrownBy(() -> new ServerFiles(cache).elasticsearch())
                .hasMessageContaining("Expected a complete Elasticsearch in " + home());
    }

    @Test
    void finds_a_complete_elasticsearch_by_its_marker() throws IOException {
        Path lib = Files.createDirectories(home().resolve("lib"));
        Files.createFile(lib.resolve(jar()));
        Files.createFile(Files.createDirectories(home().resolve(".unpacked")).resolve("marker"));

        assertThat(new ServerFiles(cache).elasticsearch()).isEqualTo(home());
    }

    @Test
    void refuses_another_version_than_that_of_the_build() throws IOException {
        Files.createFile(Files.createDirectories(home().resolve(".unpacked")).resolve("marker"));

        assertThatThrownBy(() -> new ServerFiles(cache).elasticsearch()).hasMessageContaining(jar() + ", found none");
    }

    @Test
    void missing_jars_of_kafka_are_reported_with_their_folder() {
        assertThatThrownBy(() -> new ServerFiles(cache).kafkaLibs())
                .hasMessageContaining(cache.resolve("kafka-" + new ServerFiles(cache).named("kafka.version"))
                        .toString())
                .hasMessageContaining("run the project's build once");
    }

    @Test
    void a_java_that_is_too_old_is_refused_with_its_path_and_version() {
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
