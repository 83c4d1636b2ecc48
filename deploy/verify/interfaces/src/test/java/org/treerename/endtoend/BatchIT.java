package org.treerename.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.treerename.installation.Installation;
import org.treerename.testservers.TestServers;

/**
 * Tests {@code rename batch} with many lines. SIGINT interrupts the command before all lines have ended, and the test
 * runs the command again. The system property {@code renames} sets the number of lines.
 */
final class BatchIT {

    private static final int RENAMES = Integer.getInteger("renames", 120);
    private static final int DIRECTORIES = 40;
    private static final int FILES = 25;
    private static final int INTERRUPTED = 130;
    private static final int SOME_NOT_DONE = 1;

    /**
     * The number of lines whose directory another process has locked. These lines are in the middle of the file. While
     * these lines wait, the command sends no later line.
     */
    private static final int HELD = 10;

    private static final int BEFORE_HELD = RENAMES / 2;
    private static final String IN_FLIGHT = "--in-flight=" + HELD;
    private static final String LOCKED = "/locked";

    @TempDir
    private Path folder;

    private record Ended(int code, JsonNode summary, String err) {}

    /**
     * Random renames of files and sometimes of their directories. Each rename uses the paths that result from the
     * earlier renames.
     */
    private static final class Play {
        private final List<String> directories = new ArrayList<>();
        private final List<List<String>> names = new ArrayList<>();
        private final List<String> lines = new ArrayList<>();
        private int rejected;

        Tree create() {
            Tree tree = Tree.create().directories(LOCKED);
            for (int i = 0; i < HELD; i++) {
                tree.files(LOCKED + "/f" + i);
            }
            for (int d = 0; d < DIRECTORIES; d++) {
                directories.add("/d" + d);
                tree.directories("/d" + d);
                names.add(new ArrayList<>());
                for (int f = 0; f < FILES; f++) {
                    names.get(d).add("f" + f);
                    tree.files("/d" + d + "/f" + f);
                }
            }
            return tree.index();
        }

        void write(Path file) throws IOException {
            Random random = new Random(1);
            for (int i = 0; i < RENAMES; i++) {
                if (i >= BEFORE_HELD && i < BEFORE_HELD + HELD) {
                    lines.add(LOCKED + "/f" + (i - BEFORE_HELD) + "," + LOCKED + "/g" + (i - BEFORE_HELD));
                    continue;
                }
                int d = random.nextInt(DIRECTORIES);
                int f = random.nextInt(FILES);
                String directory = directories.get(d);
                if (i % 50 == 49) {
                    directories.set(d, "/e" + i);
                    lines.add(directory + "," + directories.get(d));
                } else if (i % 97 == 96) {
                    rejected++;
                    lines.add("/nowhere" + i + ",/somewhere");
                } else {
                    lines.add(directory + "/" + names.get(d).set(f, "g" + i) + "," + directory + "/g" + i);
                }
            }
            Files.writeString(file, String.join("\n", lines));
        }

        Set<String> paths() {
            Set<String> paths = new HashSet<>(directories);
            paths.add(LOCKED);
            for (int i = 0; i < HELD; i++) {
                paths.add(LOCKED + "/g" + i);
            }
            for (int d = 0; d < DIRECTORIES; d++) {
                for (String name : names.get(d)) {
                    paths.add(directories.get(d) + "/" + name);
                }
            }
            return paths;
        }
    }

    @Test
    void an_interrupted_batch_continues_when_it_is_run_again_and_each_line_has_one_outcome() throws Exception {
        Log.open().close();
        Play play = new Play();
        Tree tree = play.create();
        Path file = folder.resolve("renames.csv");
        play.write(file);
        ChangeCheck changeCheck = ChangeCheck.of(tree);
        Path report = folder.resolve("report.ndjson");
        String holder = UUID.randomUUID().toString();
        Holding.ofLiveProcess(tree.name(), LOCKED, holder);
        Group group = Group.atTheEndOfTheLog();
        try (Workers workers = Workers.start(2, group.option())) {
            assertThat(workers.ids()).hasSize(2);
            Process process = begin(tree, file, "--report=" + report, IN_FLIGHT);
            awaitHeld(tree, report);
            Ended first = interrupt(process);
            Holding.release(tree.name(), LOCKED, holder);
            assertThat(first.code()).isEqualTo(INTERRUPTED);
            assertThat(first.err()).contains("interrupted; ", "repeat the command with the same content to continue");
            assertThat(first.summary().path("interrupted").asBoolean()).isTrue();
            assertThat(first.summary().path("not_sent").asInt()).isEqualTo(RENAMES - BEFORE_HELD - HELD);
            assertThat(lines(report)).isEqualTo(BEFORE_HELD);

            assertAllEnded(run(tree, file), play);
            assertAllEnded(run(tree, file, "--report=" + report), play);
            assertThat(Files.readAllLines(report)).hasSize(RENAMES);
            assertAllEnded(run(tree, file), play);
            changeCheck.assertGood(0);
        }
        assertOutcomes(report, play);
        assertThat(tree.paths().values()).containsExactlyInAnyOrderElementsOf(play.paths());
        tree.assertNothingLeft();
    }

    /** Waits until all lines before the held lines have ended, and the held lines wait for the lock. */
    private static void awaitHeld(Tree tree, Path report) {
        Awaitility.await("the held lines wait for the lock")
                .atMost(Duration.ofMinutes(30))
                .until(() -> Files.exists(report)
                        && lines(report) == BEFORE_HELD
                        && Claims.in(tree.name()).size() == HELD);
    }

    private static void assertAllEnded(Ended ended, Play play) {
        JsonNode summary = ended.summary();
        assertThat(summary.path("renames").asInt()).isEqualTo(RENAMES);
        assertThat(summary.path("rejected").asInt()).as(summary.toString()).isEqualTo(play.rejected);
        assertThat(summary.path("completed").asInt()).as(summary.toString()).isEqualTo(RENAMES - play.rejected);
        assertThat(ended.code()).isEqualTo(SOME_NOT_DONE);
    }

    /**
     * Asserts for each request that all its outcome records in the topic are equal, and that the report contains this
     * outcome.
     */
    private static void assertOutcomes(Path report, Play play) throws IOException {
        Map<String, JsonNode> reported = new HashMap<>();
        for (String line : Files.readAllLines(report)) {
            JsonNode json = Es.JSON.readTree(line);
            assertThat(json.path("source").asText() + ","
                            + json.path("destination").asText())
                    .isEqualTo(play.lines.get(json.path("line").asInt() - 1));
            reported.put(json.path("batch").asText() + "-" + json.path("line").asInt(), json.path("outcome"));
        }
        assertThat(reported).hasSize(RENAMES);
        Map<String, Set<String>> published = outcomes();
        for (Map.Entry<String, JsonNode> one : reported.entrySet()) {
            Set<String> texts = published.getOrDefault(one.getKey(), Set.of());
            assertThat(texts).as(one.getKey()).hasSize(1);
            assertThat(Es.JSON.readTree(texts.iterator().next())).isEqualTo(one.getValue());
        }
    }

    /** Returns the texts of the published outcomes, by request id. */
    private static Map<String, Set<String>> outcomes() {
        Map<String, Set<String>> outcomes = new HashMap<>();
        try (KafkaConsumer<String, String> consumer = new KafkaConsumer<>(
                Map.of("bootstrap.servers", TestServers.kafkaBootstrapServers()),
                new StringDeserializer(),
                new StringDeserializer())) {
            List<TopicPartition> partitions = consumer.partitionsFor(Installation.DEFAULT.outcomes()).stream()
                    .map(found -> new TopicPartition(found.topic(), found.partition()))
                    .toList();
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
            while (ends.entrySet().stream().anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
                consumer.poll(Duration.ofMillis(100))
                        .forEach(outcome -> outcomes.computeIfAbsent(outcome.key(), id -> new HashSet<>())
                                .add(outcome.value()));
            }
        }
        return outcomes;
    }

    private Ended interrupt(Process process) throws Exception {
        assertThat(new ProcessBuilder("kill", "-INT", String.valueOf(process.pid()))
                        .start()
                        .waitFor())
                .isZero();
        assertThat(process.waitFor(1, TimeUnit.MINUTES))
                .as("the process has ended")
                .isTrue();
        String err = Files.readString(folder.resolve("err"));
        String out = Files.readString(folder.resolve("out"));
        assertThat(out).as(err).isNotEmpty();
        return new Ended(process.exitValue(), Es.JSON.readTree(out), err);
    }

    private static long lines(Path file) throws IOException {
        try (var lines = Files.lines(file)) {
            return lines.count();
        }
    }

    /** Runs the command inside this JVM. */
    private static Ended run(Tree tree, Path file, String... options) throws IOException {
        Console.Output output = Console.output(Console.RENAME, arguments(tree, file, options));
        return new Ended(output.code(), Es.JSON.readTree(output.out()), output.err());
    }

    private static List<String> arguments(Tree tree, Path file, String... options) {
        List<String> arguments = new ArrayList<>(List.of(
                "batch",
                file.toString(),
                "--output=json",
                "--namespace=" + tree.name(),
                "--kafka-bootstrap-servers=" + TestServers.kafkaBootstrapServers()));
        arguments.addAll(List.of(options));
        return arguments;
    }

    /**
     * Starts the command as a process. {@code env} restores the default handling of SIGINT, because this JVM may have
     * inherited the setting that ignores SIGINT.
     */
    private Process begin(Tree tree, Path file, String... options) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                "env",
                "--default-signal=INT",
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Dlogback.statusListenerClass=ch.qos.logback.core.status.NopStatusListener",
                "-cp",
                System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                Console.RENAME));
        command.addAll(arguments(tree, file, options));
        return new ProcessBuilder(command)
                .redirectOutput(folder.resolve("out").toFile())
                .redirectError(folder.resolve("err").toFile())
                .start();
    }
}
