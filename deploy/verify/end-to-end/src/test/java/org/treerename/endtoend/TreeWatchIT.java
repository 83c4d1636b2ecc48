package org.treerename.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.treerename.stack.ChildProcess;
import org.treerename.stack.JavaCommand;
import org.treerename.testservers.TestServers;

/**
 * Tests the example program {@code TreeWatch}. The program prints the number of documents at and below two paths while
 * a directory is renamed from one path to the other.
 */
final class TreeWatchIT {

    private static final int FILES = 3_000;

    @TempDir
    private static Path folder;

    @Test
    void prints_the_counts_before_and_after_a_rename_and_nothing_in_between() throws Exception {
        Tree tree = Tree.create().directories("/a");
        IntStream.range(0, FILES).forEach(i -> tree.files("/a/file-" + i));
        ObjectNode request = Requests.rename(tree.index().name(), "/a", "/b");
        Path printed = folder.resolve("tree-watch.log");
        try (Log topics = Log.open();
                Workers workers = Workers.start(1, Group.atTheEndOfTheLog().option(), "--page-size=200");
                ChildProcess watch = watch(tree, printed)) {
            await(printed, "/a: 3001, /b: 0");

            topics.send(0, request.toString());

            assertThat(topics.outcome(Requests.id(request)).path("status").asText())
                    .isEqualTo("completed");
            await(printed, "/a: 0, /b: 3001");
            assertThat(lines(printed)).containsExactly("/a: 3001, /b: 0", "/a: 0, /b: 3001");
            assertThat(workers.processes()).hasSize(1);
            assertThat(watch.isAlive()).isTrue();
        }
    }

    private static ChildProcess watch(Tree tree, Path log) throws IOException {
        return JavaCommand.of(
                        "org.treerename.examples.TreeWatch",
                        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                        log)
                .jvmOptions("-Xmx128m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1")
                .arguments(TestServers.elasticsearchUrl(), tree.name(), "/a", "/b")
                .start();
    }

    private static void await(Path log, String line) {
        Awaitility.await(line).atMost(Log.PATIENCE).until(() -> lines(log).contains(line));
    }

    private static List<String> lines(Path log) throws IOException {
        return Files.readAllLines(log).stream()
                .filter(line -> line.startsWith("/"))
                .toList();
    }
}
