package org.treerename.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.treerename.testservers.TestServers;

/**
 * Runs exactly the script in {@code deploy/docs/quick-start.md}, with existing servers. The script runs in a folder
 * that contains only the archive. The search path contains only the {@link #PROGRAMS}.
 */
final class QuickStartIT {

    private static final int MOST_LINES = 10;

    /** The programs that the page names, and the programs that the start scripts of the archive use. */
    private static final List<String> PROGRAMS =
            List.of("bash", "tar", "gzip", "curl", "sh", "dirname", "readlink", "sed");

    /** A path that is longer than the limit {@code ignore_above} of a dynamically mapped keyword field. */
    private static final String LONG = "/a/" + "x".repeat(300);

    @TempDir
    private Path folder;

    private final String index = "quick-start-" + UUID.randomUUID();

    /** Returns the lines of the script, which is the only {@code bash} block of the page. */
    private static List<String> script() throws IOException {
        List<String> page = Files.readAllLines(Unpacked.module().resolve("../../docs/quick-start.md"));
        assertThat(page).as("the page has one script").containsOnlyOnce("```bash");
        int begin = page.indexOf("```bash") + 1;
        return page.subList(begin, begin + page.subList(begin, page.size()).indexOf("```"));
    }

    /** Indexes documents without a mapping, as most programs do. */
    private void indexWithoutMapping() {
        List<String> paths = List.of("/a", "/a/1", "/a/b", "/a/b/2", LONG, "/c/3");
        IntStream.range(0, paths.size())
                .forEach(i -> assertThat(Es.put(
                                        "/" + index + "/_doc/" + i + "?refresh=true",
                                        "{\"path\":\"" + paths.get(i) + "\",\"size\":1}")
                                .path("result")
                                .asText())
                        .isEqualTo("created"));
        JsonNode mapped = Es.get("/" + index + "/_mapping").at("/" + index + "/mappings/properties/path");
        assertThat(mapped.path("type").asText()).isEqualTo("text");
        assertThat(mapped.at("/fields/keyword/ignore_above").asInt()).isEqualTo(256);
    }

    private Process start(Path home) throws IOException {
        Path tools = Files.createDirectories(folder.resolve("tools"));
        for (String program : PROGRAMS) {
            Files.createSymbolicLink(tools.resolve(program), Unpacked.located(program));
        }
        Files.copy(Unpacked.archive(".tar.gz"), home.resolve("tree-rename-0.0.0.tar.gz"));
        Path file = Files.write(folder.resolve("quick-start.sh"), script());
        // setsid creates a process group, as a terminal does
        // env restores the default handling of SIGINT, because this JVM may ignore SIGINT
        ProcessBuilder process = Unpacked.process(
                        Unpacked.located("env"),
                        "--default-signal=INT",
                        Unpacked.located("setsid").toString(),
                        tools.resolve("bash").toString(),
                        "-e",
                        file.toString())
                .directory(home.toFile())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("out").toFile());
        process.environment()
                .putAll(Map.of(
                        "PATH",
                        tools.toString(),
                        "HOME",
                        folder.toString(),
                        "ELASTICSEARCH_URL",
                        TestServers.elasticsearchUrl(),
                        "KAFKA_BOOTSTRAP_SERVERS",
                        TestServers.kafkaBootstrapServers(),
                        // a separate prefix, because other tests use the default names
                        "TREE_RENAME_PREFIX",
                        "q" + UUID.randomUUID(),
                        "INDEX",
                        index,
                        "SOURCE",
                        "/a",
                        "DESTINATION",
                        "/b"));
        return process.start();
    }

    private String out() throws IOException {
        return Files.readString(folder.resolve("out"));
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(strings = {"Ctrl-C", "SIGTERM"})
    void the_script_renames_a_directory_and_leaves_no_process(String end) throws IOException, InterruptedException {
        assertThat(script()).hasSizeLessThanOrEqualTo(MOST_LINES);
        indexWithoutMapping();
        Path home = Files.createDirectories(folder.resolve("empty"));
        Instant begin = Instant.now();
        Process process = start(home);
        try {
            Awaitility.await("the rename has ended")
                    .atMost(Duration.ofMinutes(3))
                    .until(() -> out().contains("renamed ") || !process.isAlive());
            Duration took = Duration.between(begin, Instant.now());

            assertThat(out()).contains("renamed /a to /b: 5 documents moved");
            System.out.println("quick start: the " + script().size() + " lines took " + took.toSeconds() + " s");
            assertThat(out()).contains("workers refuse this index", "the index is suitable", "0 errors");
            assertThat(paths())
                    .containsExactlyInAnyOrder("/b", "/b/1", "/b/b", "/b/b/2", "/b" + LONG.substring(2), "/c/3");
            assertThat(services(home)).as("worker and janitor").hasSize(2);

            // wait, because bash ignores Ctrl-C if a program in the foreground catches the signal and succeeds
            Awaitility.await("only the worker and the janitor run")
                    .atMost(Log.PATIENCE)
                    .until(() -> process.children().count() == 2);
            String group = end.equals("Ctrl-C") ? "-INT -- -" : "-TERM ";
            assertThat(new ProcessBuilder("bash", "-c", "kill " + group + process.pid())
                            .start()
                            .waitFor())
                    .isZero();
            assertThat(process.waitFor(1, TimeUnit.MINUTES)).as(end).isTrue();
            assertThat(services(home))
                    .as("services after the end of the script")
                    .isEmpty();
            assertThat(Files.readString(home.resolve("worker.log"))).doesNotContain("ERROR");
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
    }

    private List<String> paths() {
        return Es.all(index).stream()
                .map(hit -> hit.path("_source").path("path").asText())
                .toList();
    }

    /** Returns the command lines of all workers and janitors that run programs in this folder. */
    private static List<String> services(Path home) {
        return ProcessHandle.allProcesses()
                .flatMap(process -> process.info().commandLine().stream())
                .filter(line -> line.contains(home.toString()))
                .filter(line -> Stream.of("worker.Main", "janitor.Main").anyMatch(line::contains))
                .toList();
    }
}
