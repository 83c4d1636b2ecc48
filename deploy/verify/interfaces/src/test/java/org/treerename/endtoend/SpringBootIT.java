package org.treerename.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.treerename.stack.ChildProcess;
import org.treerename.stack.JavaCommand;
import org.treerename.testservers.TestServers;

/**
 * Tests the Spring Boot example with its own libraries on real servers. The application acquires a lock, requests a
 * rename, reads the tree, listens for the outcome, and prints metrics and health.
 */
final class SpringBootIT {

    @TempDir
    private Path folder;

    private static String classPath() {
        Path target = Path.of(System.getProperty("examples"), "spring-boot", "target");
        return target.resolve("*") + ":" + target.resolve("lib").resolve("*");
    }

    private static List<String> lines(Path log) throws IOException {
        return Files.exists(log) ? Files.readAllLines(log) : List.of();
    }

    @Test
    void the_application_locks_renames_reads_listens_and_reports() throws Exception {
        Tree tree = Tree.create()
                .directories("/drafts")
                .files("/drafts/1", "/drafts/2")
                .index();
        Path printed = folder.resolve("archive.log");
        try (Log log = Log.open();
                Workers workers = Workers.start(1);
                ChildProcess application = JavaCommand.of(
                                "org.treerename.examples.spring.ArchiveApplication", classPath(), printed)
                        .jvmOptions("-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1")
                        .arguments(
                                "--archive.namespace=" + tree.name(),
                                "--archive.source=/drafts",
                                "--archive.destination=/old",
                                "--tree-rename.kafka.bootstrap-servers=" + TestServers.kafkaBootstrapServers(),
                                "--tree-rename.elasticsearch.urls=" + TestServers.elasticsearchUrl())
                        .start()) {
            Awaitility.await()
                    .atMost(Log.PATIENCE)
                    .until(() -> lines(printed).stream().anyMatch(line -> line.startsWith("measured: ")));
            Awaitility.await()
                    .atMost(Log.PATIENCE)
                    .until(() -> lines(printed).contains("received: completed renamed /drafts to /old"));

            assertThat(lines(printed))
                    .contains(
                            "held: true",
                            "found: 3 documents",
                            "outcome: completed, moved 3",
                            "archived: 3 documents",
                            "measured: 1 requests")
                    .anyMatch(line -> line.startsWith("health: treeRenameElasticsearchHealthIndicator UP"))
                    .anyMatch(line -> line.startsWith("health: treeRenameKafkaHealthIndicator UP")
                            && line.contains("rename.outcomes"));
            application.stop(Duration.ofSeconds(30));
            assertThat(workers.processes()).hasSize(1);
            assertThat(log).isNotNull();
        }
        assertThat(tree.paths()).containsValues("/old", "/old/1", "/old/2");
        tree.assertNothingLeft();
    }
}
