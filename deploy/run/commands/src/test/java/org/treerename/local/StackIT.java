package org.treerename.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.treerename.local.ScriptFolder.Result;

/** Runs the scripts of {@code deploy/run} on real servers, as a first-time user does. */
final class StackIT {

    @TempDir
    private Path folder = Path.of("");

    private ScriptFolder scripts = new ScriptFolder(folder);

    @BeforeEach
    void copy_scripts() throws IOException {
        scripts = ScriptFolder.in(folder);
    }

    @AfterEach
    void stop() {
        scripts.run("down");
        scripts.run(another(), "down");
    }

    /** Returns an environment with another folder of the stack than {@code deploy/output}. */
    private Map<String, String> another() {
        return Map.of("STACK_FOLDER", folder.resolve("another").toString());
    }

    @Test
    void a_first_time_user_starts_a_stack_renames_a_directory_and_stops_the_stack() throws IOException {
        Path input = folder.resolve("input");
        Files.createDirectories(input.resolve("drafts/2026"));
        Files.writeString(input.resolve("drafts/2026/plan.txt"), "a plan");

        assertThat(scripts.run("up", "--detach", "--workers=1").succeeded()).contains("The local stack is ready:");
        List<ProcessHandle> stack = processes();
        assertThat(stack).as("up, Elasticsearch, Kafka, a worker and a janitor").hasSizeGreaterThanOrEqualTo(5);
        assertThat(argumentsOf(stack, "org.treerename.worker.Main")).doesNotContain("--page-size");

        assertThat(scripts.run("index-tree", input.toString()).succeeded())
                .contains("The namespace files has 3 documents now.");
        assertThat(scripts.run("rename", "mv", "--dry-run", "/drafts", "/archive")
                        .succeeded())
                .contains("3 documents");
        scripts.run("rename", "mv", "/drafts", "/archive").succeeded();
        assertThat(scripts.run("rename", "ls", "/archive").succeeded()).contains("2026");
        assertThat(scripts.run("rename-admin", "processes").succeeded())
                .contains("worker")
                .contains("janitor");
        assertThat(scripts.run("rename-admin", "renames").succeeded()).contains("/drafts", "/archive");
        scripts.run("rename-admin", "audit").succeeded();

        Result second = scripts.run("up", "--detach");
        assertThat(second.exitCode()).isEqualTo(1);
        assertThat(second.err())
                .startsWith("up: a local stack is already running")
                .contains("stop it with deploy/run/down");
        assertThat(scripts.run("rename", "ls", "/archive/2026").succeeded()).contains("plan.txt");

        assertThat(scripts.run("down")).isEqualTo(new Result(0, "The local stack has stopped.\n", ""));
        assertThat(processes()).isEmpty();
        assertThat(scripts.output().resolve("stack.env")).doesNotExist();
        assertThat(scripts.run("rename", "ls", "/").exitCode()).isEqualTo(2);
    }

    @Test
    void every_command_uses_the_folder_and_the_prefix_of_the_stack() throws IOException {
        Path input = folder.resolve("input");
        Files.createDirectories(input.resolve("drafts"));

        scripts.run(another(), "up", "--detach", "--workers=1", "--janitors=0", "--prefix=blue")
                .succeeded();
        scripts.run(another(), "index-tree", input.toString()).succeeded();
        scripts.run(another(), "rename", "mv", "/drafts", "/archive").succeeded();

        assertThat(scripts.run(another(), "rename", "ls", "/").succeeded()).contains("/archive");
        assertThat(scripts.run(another(), "rename-admin", "renames").succeeded())
                .contains("/drafts", "/archive");
        assertThat(scripts.run(another(), "rename-admin", "renames", "--prefix=")
                        .err())
                .contains("there is no control index tree-rename-control");
        assertThat(scripts.run("rename", "ls", "/").exitCode())
                .as("no stack in deploy/output")
                .isEqualTo(2);
        assertThat(scripts.run(another(), "down").succeeded()).isEqualTo("The local stack has stopped.\n");
    }

    /** Returns every process whose command line contains the folder of this test. */
    private List<ProcessHandle> processes() {
        try (Stream<ProcessHandle> all = ProcessHandle.allProcesses()) {
            return all.filter(process -> commandLine(process).contains(folder.toString()))
                    .toList();
        }
    }

    private static String argumentsOf(List<ProcessHandle> processes, String mainClass) {
        return processes.stream()
                .map(StackIT::commandLine)
                .filter(line -> line.contains(mainClass))
                .findFirst()
                .orElseThrow();
    }

    /**
     * Returns the command line. The command line is empty for a zombie: a process that ended and whose parent has not
     * read its exit code.
     */
    private static String commandLine(ProcessHandle process) {
        return process.info()
                .arguments()
                .map(arguments -> String.join(" ", arguments))
                .orElse("");
    }
}
