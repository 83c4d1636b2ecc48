package org.treerename.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.treerename.installation.Installation;
import org.treerename.producer.writer.TreeLocks;
import org.treerename.producer.writer.WriteHold;
import org.treerename.producer.writer.WriterSettings;
import org.treerename.testservers.TestServers;

/** Tests {@code rename mv --direct} on a real Elasticsearch. The tests use no Kafka, no worker and no janitor. */
final class DirectMvIT {

    private static final int FILES = 300;
    private static final int SIGINT_CODE = 130;

    /** The prefix of a separate installation, which the janitors of other tests ignore. */
    private final String prefix = "direct-" + UUID.randomUUID();

    private final Elasticsearch elasticsearch = Elasticsearch.SHARED.in(new Installation(prefix));

    private Tree tree() {
        Tree tree = Tree.createIn(elasticsearch).directories("/a", "/c").files("/ab");
        for (int i = 0; i < FILES; i++) {
            tree.files("/a/" + i);
        }
        return tree.index();
    }

    private List<String> mv(Tree tree, String source, String destination, String... more) {
        List<String> arguments = new ArrayList<>(List.of(
                "mv",
                "--direct",
                source,
                destination,
                "--namespace=" + tree.name(),
                "--prefix=" + prefix,
                "--elasticsearch-url=" + TestServers.elasticsearchUrl()));
        arguments.addAll(List.of(more));
        return arguments;
    }

    private JsonNode outcome(String requestId) throws IOException {
        return Es.JSON.readTree(
                elasticsearch.entry(requestId).orElseThrow().path("outcome").asText());
    }

    private void assertNoProcessIsLive() {
        assertThat(elasticsearch.control("process"))
                .isNotEmpty()
                .allSatisfy(
                        process -> assertThat(process.path("state").asText()).isEqualTo("stopped"));
    }

    @Test
    void renames_a_directory_once_without_any_other_process() throws IOException {
        Tree tree = tree();
        String id = UUID.randomUUID().toString();

        Console.Output first = Console.output(Console.RENAME, mv(tree, "/a", "/b", "--request-id=" + id));
        SortedMap<String, String> paths = tree.paths();
        Console.Output again =
                Console.output(Console.RENAME, mv(tree, "/a", "/b", "--request-id=" + id, "--output=json"));

        assertThat(first.out()).startsWith("renamed /a to /b: 301 documents moved (request " + id + ", ");
        assertThat(first.code()).isZero();
        assertThat(paths).containsEntry("id-0", "/b").containsEntry("id-3", "/b/0");
        assertThat(paths.values()).noneMatch(path -> path.equals("/a") || path.startsWith("/a/"));
        assertThat(again.code()).isZero();
        assertThat(Es.JSON.readTree(again.out())).isEqualTo(outcome(id));
        assertThat(tree.paths()).isEqualTo(paths);
        assertThat(elasticsearch.entry(id).orElseThrow().path("topic").asText()).isEqualTo("direct");
        tree.assertNothingLeft();
        assertNoProcessIsLive();
    }

    @Test
    void reports_a_rejection_and_a_request_id_of_another_request() {
        Tree tree = tree();
        String id = UUID.randomUUID().toString();

        Console.Output rejected = Console.output(Console.RENAME, mv(tree, "/a", "/c", "--request-id=" + id));
        Console.Output reused = Console.output(Console.RENAME, mv(tree, "/a", "/d", "--request-id=" + id));

        assertThat(rejected)
                .isEqualTo(new Console.Output(1, "rejected: destination_exists: /c exists (request " + id + ")\n", ""));
        assertThat(reused.code()).isEqualTo(2);
        assertThat(reused.err()).contains("the request id " + id + " belongs to another request");
        tree.assertNothingLeft();
    }

    @Test
    void renames_and_writes_nothing_while_renames_are_paused() {
        Tree tree = tree();
        Map<String, String> paths = tree.paths();
        List<String> address = List.of("--prefix=" + prefix, "--elasticsearch-url=" + TestServers.elasticsearchUrl());
        List<String> pause = new ArrayList<>(List.of("pause"));
        pause.addAll(address);
        List<String> unpause = new ArrayList<>(List.of("unpause"));
        unpause.addAll(address);

        Console.Ended paused = Console.run(Console.RENAME_ADMIN, pause);
        Console.Output refused = Console.output(Console.RENAME, mv(tree, "/a", "/b"));
        Console.Ended unpaused = Console.run(Console.RENAME_ADMIN, unpause);
        Console.Output renamed = Console.output(Console.RENAME, mv(tree, "/a", "/b"));

        assertThat(List.of(paused.code(), unpaused.code())).containsOnly(0);
        assertThat(refused.code()).isEqualTo(3);
        assertThat(refused.err()).contains("paused");
        assertThat(renamed.code()).isZero();
        assertThat(tree.paths()).isNotEqualTo(paths);
        assertThat(elasticsearch.control("rename")).hasSize(1);
    }

    @Test
    void reports_that_elasticsearch_does_not_answer() throws IOException, InterruptedException {
        Console.Output ended = Console.process(
                Console.RENAME, List.of("mv", "--direct", "/a", "/b", "--elasticsearch-url=http://127.0.0.1:1"));

        assertThat(ended.code()).isEqualTo(3);
        assertThat(ended.out()).isEmpty();
        assertThat(ended.err()).contains("http://127.0.0.1:1").doesNotContain("at org.");
    }

    @Test
    void fails_after_the_lock_wait_and_reports_that_it_waits() throws Exception {
        Tree tree = tree();
        try (Writer writer = new Writer(tree)) {
            Console.Output ended = Console.output(Console.RENAME, mv(tree, "/a", "/b", "--lock-wait=1s"));

            assertThat(ended.code()).isEqualTo(1);
            assertThat(ended.out())
                    .startsWith("failed: locked: waited 1 s: /a is held")
                    .contains("by request write-");
            assertThat(ended.err())
                    .startsWith("waiting up to 1 s for the locks of other requests; the command \"rename" + " status ");
        }
        tree.assertNothingLeft();
    }

    @Test
    void gives_its_locks_back_after_a_signal_before_the_commit() throws Exception {
        Tree tree = tree();
        String id = UUID.randomUUID().toString();
        Map<String, String> before = tree.paths();
        try (Writer writer = new Writer(tree)) {
            Child child = new Child(mv(tree, "/a", "/b", "--request-id=" + id));
            Awaitility.await("the rename waits for its locks")
                    .atMost(Log.PATIENCE)
                    .until(() -> child.err().contains("for the locks of other requests"));

            int code = child.interrupt();

            assertThat(code).isEqualTo(SIGINT_CODE);
            assertThat(outcome(id).path("reason").asText()).isEqualTo("process_ended");
            assertThat(child.out()).startsWith("failed: process_ended: ");
            assertThat(elasticsearch.locks().claims())
                    .noneMatch(claim -> claim.requestId().equals(id));
        }
        assertThat(tree.paths()).isEqualTo(before);
        tree.assertNothingLeft();
        assertNoProcessIsLive();
    }

    @Test
    void finishes_a_decided_rename_after_a_signal() throws Exception {
        Tree tree = tree();
        tree.limit(60);
        String id = UUID.randomUUID().toString();
        Child child = new Child(mv(tree, "/a", "/b", "--request-id=" + id));
        Awaitility.await("the documents move")
                .atMost(Log.PATIENCE)
                .until(() -> elasticsearch
                        .entry(id)
                        .filter(entry -> entry.path("state").asText().equals("moving"))
                        .isPresent());

        int code = child.interrupt();

        assertThat(child.out()).startsWith("renamed /a to /b: 301 documents moved");
        assertThat(child.err()).contains("interrupted: ");
        assertThat(code).isZero();
        assertThat(tree.paths().values()).noneMatch(path -> path.startsWith("/a/"));
        tree.assertNothingLeft();
        assertNoProcessIsLive();
    }

    /** A writer that holds the directory {@code /a}. */
    private final class Writer implements AutoCloseable {
        private final TreeLocks locks;
        private final WriteHold hold;

        Writer(Tree tree) {
            locks = TreeLocks.connect(
                    WriterSettings.of(TestServers.elasticsearchUrl()).withPrefix(prefix));
            hold = locks.write(tree.name(), "/a");
        }

        @Override
        public void close() {
            hold.close();
            locks.close();
        }
    }

    /**
     * Runs a command as a separate process, so that a test can send signals to the command. {@code env} restores the
     * default handling of SIGINT, because this JVM may have inherited the setting that ignores SIGINT.
     */
    private static final class Child {
        private final Path out = Files.createTempFile("direct", ".out");
        private final Path err = Files.createTempFile("direct", ".err");
        private final Process process;

        Child(List<String> arguments) throws IOException {
            List<String> command = new ArrayList<>(List.of(
                    "env",
                    "--default-signal=INT",
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-XX:+UseSerialGC",
                    "-XX:TieredStopAtLevel=1",
                    "-cp",
                    String.join(File.pathSeparator, ClassPath.jars()),
                    Console.RENAME));
            command.addAll(arguments);
            process = new ProcessBuilder(command)
                    .redirectOutput(out.toFile())
                    .redirectError(err.toFile())
                    .start();
        }

        String out() throws IOException {
            return Files.readString(out);
        }

        String err() throws IOException {
            return Files.readString(err);
        }

        /** Sends SIGINT, and returns the exit code. */
        int interrupt() throws IOException, InterruptedException {
            assertThat(new ProcessBuilder("kill", "-INT", String.valueOf(process.pid()))
                            .start()
                            .waitFor())
                    .isZero();
            assertThat(process.waitFor(1, TimeUnit.MINUTES))
                    .as("the process has ended")
                    .isTrue();
            return process.exitValue();
        }
    }
}
