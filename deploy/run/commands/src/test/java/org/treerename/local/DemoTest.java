package org.treerename.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.treerename.local.ScriptFolder.Result;

/** Tests {@code deploy/run/demo} with stubs of the commands that it runs. {@code .ci/run} runs it with servers. */
class DemoTest {

    /** Replaces each command, and appends its command line to a file. The variable BREAK names what goes wrong. */
    private static final String STUB = """
            command=${0##*/}
            lines=$STACK_FOLDER/../lines
            echo "$command $*" >> "$lines"
            case $command in
              up)
                mkdir "$STACK_FOLDER/tree-rename-data"
                (exec -a org.treerename.worker.Main sleep 60) > /dev/null 2>&1 &
                echo "WORKER_2_PID=$!" > "$STACK_FOLDER/stack.env"
                echo 'process worker-b is live' > "$STACK_FOLDER/tree-rename-data/worker-2.log"
                echo 'process worker-b: fenced' > "$STACK_FOLDER/tree-rename-data/janitor-1.log"
                if [ "$BREAK" = interrupt ]; then kill -TERM "$PPID"; fi ;;
              down)
                worker=$(sed -n 's/^WORKER_2_PID=//p' "$STACK_FOLDER/stack.env")
                if kill -9 "$worker" 2> /dev/null; then echo 'killed the worker' >> "$lines"; fi ;;
              index-tree) printf '%s\\n' 'documents: 9 in 1.0 s' 'The namespace files has 9 documents now.' ;;
              check-renames)
                echo 'documents: 9; ready'
                while read -r killed; do
                  sent=$(sed -n 's/^rename mv --request-id=\\([^ ]*\\) .*/\\1/p' "$lines" | sort -u | wc -l)
                  if [ "$BREAK" = check ]; then sent=0; fi
                  echo "renames: $((sent)), completed: $((sent - 2)), documents: 9, violations: 0"
                done ;;
              rename-admin) [ "$BREAK" != audit ] ;;
              rename)
                case $* in
                  *'"directory"'*) printf '%s\\n' /in /in/large /in/medium /in/medium/sub /in/medium-b /in/small ;;
                  *'"file"'*) printf '%s\\n' /in/large/f{1..10000} /in/medium/{a..z} /in/small/a ;;
                  'status '*)
                    [ "$BREAK" = wait ] || echo 'locks refused once'
                    [ "$BREAK" = janitor ] || echo 'finished by janitor-a, which took over the rename of a dead process'
                    printf '%s\\n' 'owned by worker-b, which is live' 'completed: renamed' ;;
                  *.renamed | */medium-e) exit 1 ;;
                esac ;;
            esac""";

    @TempDir
    private Path folder = Path.of("");

    private Path output = folder;

    @BeforeEach
    void copy_the_script_and_write_stubs() throws IOException {
        output = folder.resolve("deploy/output");
        for (String file : List.of("demo", "lib/run.sh")) {
            Path copy = folder.resolve("deploy/run").resolve(file);
            Files.createDirectories(copy.resolveSibling("."));
            Files.copy(ScriptFolder.repository().resolve("deploy/run").resolve(file), copy);
        }
        for (String command : List.of("up", "down", "index-tree", "rename", "rename-admin")) {
            ScriptFolder.writeProgram(folder.resolve("deploy/run").resolve(command), STUB);
        }
        ScriptFolder.writeProgram(folder.resolve("deploy/verify/check-renames"), STUB);
        for (int i = 0; i < 30; i++) {
            Files.createDirectories(folder.resolve("input/" + i));
        }
    }

    private Result demo(String broken) {
        String demo = folder.resolve("deploy/run/demo").toString();
        return ScriptFolder.run(
                folder,
                Map.of("BREAK", broken),
                List.of(demo, folder.resolve("input").toString()));
    }

    private List<String> lines() throws IOException {
        return Files.readAllLines(output.resolve("lines"));
    }

    private List<Path> foldersOfStacks() throws IOException {
        try (Stream<Path> files = Files.list(output)) {
            return files.filter(Files::isDirectory).toList();
        }
    }

    @Test
    void renames_directories_of_a_small_input_and_leaves_nothing_behind() throws IOException {
        Files.createDirectories(output.resolve("demo-999999999"));

        Result result = demo("");

        assertThat(result.exitCode()).as(result::toString).isZero();
        assertThat(result.out()).endsWith("The demo succeeded.\n");
        assertThat(lines())
                .anyMatch(line -> line.startsWith("index-tree " + folder.resolve("input"))
                        && line.contains("/copy-1 ")
                        && line.endsWith("/copy-334"))
                .containsSubsequence(
                        "rename mv --request-id=demo-1 --until=decided /in/large /in/large-renamed-1",
                        "rename mv --request-id=demo-2 /in/large/f1 /in/large/f1.renamed",
                        "rename mv --request-id=demo-3 /in/medium /in/medium-b-",
                        "rename-admin audit",
                        "down ");
        assertThat(foldersOfStacks()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "wait, NO RENAME WAITED FOR A LOCK",
        "check, THE CHECK FAILED",
        "janitor, NO JANITOR ROLLED FORWARD",
        "audit, rename-admin audit"
    })
    void fails_if_a_statement_is_not_true_and_keeps_the_logs(String broken, String message) throws IOException {
        Result result = demo(broken);

        assertThat(result.exitCode()).as(result::toString).isEqualTo(1);
        assertThat(result.out() + result.err()).contains(message);
        assertThat(result.out()).contains("THE DEMO FAILED. The logs are in " + output);
        assertThat(lines()).contains("down ");
        assertThat(foldersOfStacks()).hasSize(1);
    }

    @Test
    void stops_the_stack_after_an_interrupt() throws IOException {
        Result result = demo("interrupt");

        assertThat(result.exitCode()).as(result::toString).isEqualTo(130);
        assertThat(lines())
                .containsExactly(
                        "up --detach --worker-option=--documents-per-second=1000", "down ", "killed the worker");
    }
}
