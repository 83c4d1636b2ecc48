package org.treerename.producer;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.treerename.installation.Installation;
import org.treerename.kafka.RequestCodec;
import org.treerename.request.OnExisting;
import org.treerename.request.ParsedRequest.RenameRequest;
import org.treerename.testservers.TestServers;

/**
 * Tests the library in a separate project, {@code src/it/outsider}. The library is the only dependency of this project.
 * The test builds the project with the Maven installation that builds tree rename. The artifacts of tree rename are
 * always the jars of the current build, even if the local repository contains installed jars. All other artifacts come
 * from the local repository.
 */
class OutsiderIT {

    private static final Path PROJECT = Path.of("target", "outsider").toAbsolutePath();
    private static final Path ROOT = Path.of("..", "..", "..");
    private static final Path SOURCES = Path.of("src", "it", "outsider");
    private static final String OURS = "treerename";

    @TempDir
    private static Path folder;

    private static Path repository;

    @BeforeAll
    static void build() throws Exception {
        delete(PROJECT);
        copy(SOURCES, PROJECT);
        repository = repository();
        maven(
                "compile",
                "org.apache.maven.plugins:maven-dependency-plugin:3.9.0:list",
                "org.apache.maven.plugins:maven-dependency-plugin:3.9.0:build-classpath",
                "-Dmdep.outputFile=" + PROJECT.resolve("class-path"),
                "-DoutputFile=" + PROJECT.resolve("dependencies"));
    }

    @AfterAll
    static void deleteRepository() throws IOException {
        // follows no link, because the targets of the links belong to the local repository
        delete(repository);
    }

    @Test
    void depends_only_on_the_clients_of_the_servers_and_their_dependencies() throws IOException {
        List<String> dependencies = Files.readAllLines(PROJECT.resolve("dependencies")).stream()
                .map(String::strip)
                .filter(line -> line.chars().filter(c -> c == ':').count() >= 4)
                .map(line -> line.replaceFirst("^([^:]+:[^:]+):.*", "$1"))
                .toList();

        assertThat(dependencies)
                .containsExactlyInAnyOrder(
                        "org.treerename:tree-rename-client",
                        "org.treerename:tree-rename-common",
                        "org.apache.kafka:kafka-clients",
                        // dependencies of kafka-clients
                        "com.github.luben:zstd-jni",
                        "at.yawk.lz4:lz4-java",
                        "org.xerial.snappy:snappy-java",
                        "org.slf4j:slf4j-api",
                        "com.fasterxml.jackson.core:jackson-databind",
                        "com.fasterxml.jackson.core:jackson-core",
                        "com.fasterxml.jackson.core:jackson-annotations",
                        // readers and writers need the client of Elasticsearch
                        "co.elastic.clients:elasticsearch-java",
                        "io.github.resilience4j:resilience4j-circuitbreaker",
                        "io.github.resilience4j:resilience4j-core",
                        // dependencies of the client of Elasticsearch
                        "co.elastic.clients:elasticsearch-rest5-client",
                        "org.apache.httpcomponents.client5:httpclient5",
                        "org.apache.httpcomponents.core5:httpcore5",
                        "org.apache.httpcomponents.core5:httpcore5-h2",
                        "commons-logging:commons-logging",
                        "jakarta.json:jakarta.json-api",
                        "org.eclipse.parsson:parsson",
                        // jspecify contains only annotations
                        "org.jspecify:jspecify");
    }

    @Test
    void sends_a_rename_with_these_dependencies() throws Exception {
        String requestId = "outsider-" + UUID.randomUUID();
        String servers = TestServers.kafkaBootstrapServers();
        try (PeerWorker worker = new PeerWorker(servers)) {
            worker.answer(id -> OutcomeTexts.json(OutcomeTexts.completed(id, 7)));

            String out = run(
                    PROJECT,
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-cp",
                    PROJECT.resolve("target/classes")
                            + File.pathSeparator
                            + Files.readString(PROJECT.resolve("class-path")).strip(),
                    "com.example.Outsider",
                    servers,
                    requestId);

            assertThat(out.lines()).contains(requestId + " completed 7");
            assertThat(worker.request(requestId).value())
                    .isEqualTo(RequestCodec.encode(new RenameRequest(
                            requestId, "papers", "/drafts", "/archive/2026", OnExisting.REPLACE, "an outsider")));
        }
    }

    private static void maven(String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("maven.home"), "bin", "mvn").toString(),
                "--batch-mode",
                "-Dmaven.repo.local=" + repository));
        if ("offline=true".equals(System.getProperty("maven.mode"))) {
            command.add("--offline");
        }
        command.addAll(Arrays.asList(arguments));
        run(PROJECT, command.toArray(String[]::new));
    }

    private static String run(Path directory, String... command) throws Exception {
        Path out = Files.createTempFile(folder, "out", null);
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(out.toFile());
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        Process process = builder.start();
        assertThat(process.waitFor(10, TimeUnit.MINUTES))
                .as("the process has ended")
                .isTrue();
        String output = Files.readString(out, StandardCharsets.UTF_8);
        assertThat(process.exitValue()).as(output).isZero();
        return output;
    }

    /**
     * Creates a Maven repository for the separate project. The new repository contains links to the artifacts in the
     * local repository, and copies of the artifacts that the current build of tree rename has made.
     */
    private static Path repository() throws IOException {
        Path build = Path.of(System.getProperty("maven.repository"));
        Path made =
                Files.createDirectories(Path.of("target", "outsider-repository").toAbsolutePath());
        delete(made);
        Files.createDirectories(made.resolve("org"));
        link(build, made, "org");
        link(build.resolve("org"), made.resolve("org"), OURS);
        Path ours = Files.createDirectories(made.resolve("org").resolve(OURS));
        String version = Objects.requireNonNull(System.getProperty("project.version"));
        put(ours, "tree-rename", version, ROOT.resolve("pom.xml"), null);
        put(ours, "tree-rename-common", version, ROOT.resolve("common/pom.xml"), jarOf(Installation.class));
        put(
                ours,
                "tree-rename-client",
                version,
                ROOT.resolve("rename-producer/client/pom.xml"),
                jarOf(RenameProducer.class));
        return made;
    }

    private static void link(Path from, Path to, String excluded) throws IOException {
        try (Stream<Path> children = Files.list(from)) {
            for (Path child : children.toList()) {
                if (!child.getFileName().toString().equals(excluded)) {
                    Files.createSymbolicLink(to.resolve(child.getFileName()), child.toAbsolutePath());
                }
            }
        }
    }

    private static void put(Path ours, String artifact, String version, Path pom, @Nullable Path jar)
            throws IOException {
        Path directory = Files.createDirectories(ours.resolve(artifact).resolve(version));
        Files.copy(pom, directory.resolve(artifact + "-" + version + ".pom"));
        if (jar != null) {
            Files.copy(jar, directory.resolve(artifact + "-" + version + ".jar"));
        }
    }

    /** Returns the jar that contains a class. Integration tests use the jars of the current build. */
    private static Path jarOf(Class<?> type) {
        Path jar =
                Path.of(type.getProtectionDomain().getCodeSource().getLocation().getPath());
        assertThat(jar).as("jar with " + type).isRegularFile();
        return jar;
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : files.toList()) {
                Path target = to.resolve(from.relativize(file).toString());
                Files.createDirectories(target.getParent());
                if (Files.isRegularFile(file)) {
                    Files.copy(file, target);
                }
            }
        }
    }

    /** Deletes a directory. Does not follow links. */
    private static void delete(Path directory) throws IOException {
        if (Files.exists(directory)) {
            try (Stream<Path> files = Files.walk(directory)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(file);
                }
            }
        }
    }
}
