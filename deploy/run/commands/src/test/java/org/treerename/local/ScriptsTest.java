package org.treerename.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.treerename.local.ScriptFolder.Result;

/**
 * Tests the scripts in {@code deploy/run}, {@code deploy/verify} and {@code deploy/measure} without servers. {@link
 * StackIT} runs the scripts with servers. {@link DemoTest} tests the demo.
 */
class ScriptsTest {

    private static final String MAIN_CLASS = "org.treerename.benchmark.Main";

    @TempDir
    private Path folder = Path.of("");

    private ScriptFolder scripts = new ScriptFolder(folder);

    @BeforeEach
    void copy_scripts() throws IOException {
        scripts = ScriptFolder.in(folder);
    }

    static Stream<Arguments> options() {
        return Stream.of(
                Arguments.of("up", List.of("--detach", "--workers", "--worker-option", "--folder")),
                Arguments.of("down", List.of("--help")),
                Arguments.of("index-tree", List.of("DIR", "--namespace", "--at", "--limit")),
                Arguments.of("rename", List.of("mv", "ls", "watch", "status", "cancel")),
                Arguments.of("rename-admin", List.of("audit", "processes", "renames", "topics")),
                Arguments.of("serve", List.of("--http-port", "--management-port", "--log-format")),
                Arguments.of("demo", List.of("DIR")),
                Arguments.of("model-check", List.of("--full", "--only", "--workers")),
                Arguments.of("simulate", List.of("--seeds", "--from", "--history")),
                Arguments.of("check-renames", List.of("--namespace")),
                Arguments.of("chaos", List.of("--minutes", "--seed")),
                Arguments.of("packages", List.of("--check", "--jdk")),
                Arguments.of("test", List.of("CLASS", "MAVEN-OPTION")),
                Arguments.of("artifacts", List.of("MAVEN-OPTION")));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("options")
    void help_lists_the_options(String script, List<String> options) {
        Result result = scripts.run(script, "--help");

        assertThat(result.exitCode()).as(result::toString).isZero();
        assertThat(result.out()).containsIgnoringCase("usage: ").contains(options);
        assertThat(result.err()).isEmpty();
    }

    static Stream<Arguments> wrongCommandLines() {
        return Stream.of(
                Arguments.of(List.of("up", "--workers=9"), "up: --workers must be 1 to 8, was 9"),
                Arguments.of(List.of("up", "--detatch"), "--detatch"),
                Arguments.of(List.of("down", "--force"), "down: unknown argument --force"),
                Arguments.of(List.of("index-tree", "/no/such"), "index-tree: DIR must be a directory, was /no/such"),
                Arguments.of(
                        List.of("index-tree", "/usr/share", "--limit=0"), "index-tree: --limit must be at least 1"),
                Arguments.of(
                        List.of("index-tree", "/usr/share"), "index-tree: no local stack is running: start one with"),
                Arguments.of(List.of("rename", "mv", "/a", "/b"), "rename: no local stack is running: start one with"),
                Arguments.of(
                        List.of("rename-admin", "audit"), "rename-admin: no local stack is running: start one with"),
                Arguments.of(List.of("serve", "--http-port=high"), "--http-port"),
                Arguments.of(List.of("demo", "/no/such"), "demo: DIR must be a directory, was /no/such"),
                Arguments.of(List.of("model-check", "--only=Nothing"), "was Nothing"),
                Arguments.of(List.of("simulate", "--seeds=0"), "simulate: --seeds must be at least 1, was 0"),
                Arguments.of(List.of("check-renames"), "check-renames: no local stack is running: start one with"),
                Arguments.of(List.of("packages", "--check", "--now"), "packages: unknown argument --now"),
                Arguments.of(List.of("artifacts", "twice"), "artifacts: unknown argument twice"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("wrongCommandLines")
    void a_wrong_command_line_ends_with_exit_code_2_and_a_message(List<String> command, String message) {
        Result result = scripts.run(command.getFirst(), command.stream().skip(1).toArray(String[]::new));

        assertThat(result.exitCode()).as(result::toString).isEqualTo(2);
        assertThat(result.err()).contains(message);
        assertThat(result.out()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"rename", "rename-admin"})
    void an_unknown_command_is_refused(String script) {
        Map<String, String> servers =
                Map.of("KAFKA_BOOTSTRAP_SERVERS", "127.0.0.1:1", "ELASTICSEARCH_URL", "http://127.0.0.1:1");

        Result result = scripts.run(servers, script, "fly");

        assertThat(result.exitCode()).as(result::toString).isEqualTo(2);
        assertThat(result.err()).startsWith(script + ": ").contains("fly");
    }

    @Test
    void every_script_is_tested() throws IOException {
        List<String> tested =
                options().map(arguments -> (String) arguments.get()[0]).toList();

        assertThat(scripts.scripts().stream()
                        .map(file -> file.getFileName().toString())
                        .filter(name -> !name.equals("benchmark")))
                .containsExactlyInAnyOrderElementsOf(tested);
    }

    @Test
    void down_without_a_stack_succeeds() {
        assertThat(scripts.run("down")).isEqualTo(new Result(0, "No local stack ran.\n", ""));
    }

    @Test
    void packages_names_the_missing_packages_and_the_command_that_installs_them() throws IOException {
        Path programs = Files.createDirectory(folder.resolve("programs"));
        for (String program : List.of("bash", "id", "env")) {
            Files.createSymbolicLink(programs.resolve(program), Path.of("/usr/bin", program));
        }
        ScriptFolder.writeProgram(programs.resolve("promtool"), "exit 0");

        Result result = scripts.run(Map.of("PATH", programs.toString()), "packages", "--check");

        assertThat(result.exitCode()).as(result::toString).isEqualTo(1);
        assertThat(result.err())
                .contains("packages: missing: chromium chromium-driver kcat")
                .contains("sudo apt-get install --no-install-recommends chromium chromium-driver kcat");
        for (String program : List.of("chromium", "chromedriver", "kcat")) {
            ScriptFolder.writeProgram(programs.resolve(program), "exit 0");
        }
        Result complete = scripts.run(Map.of("PATH", programs.toString()), "packages", "--check");

        // the script also checks for a Python library, which may be missing on this machine
        assertThat(complete.err()).doesNotContain("chromium", "kcat", "prometheus");
        assertThat(complete.exitCode()).isEqualTo(complete.err().isEmpty() ? 0 : 1);
    }

    /**
     * The benchmark module is not on the class path of this test. So the tests of that module check the options of the
     * benchmarks.
     */
    @Test
    void benchmark_runs_its_module_with_all_arguments_and_an_existing_build() throws IOException {
        Path module = folder.resolve("deploy/measure");
        Files.createDirectories(module.resolve("target/lib"));
        Files.createFile(module.resolve("target/built"));

        Result result = scripts.run(fakeTools(), "benchmark", "idle", "--to=/a b");

        assertThat(result.err()).isEmpty();
        assertThat(result.out().lines())
                .containsSequence(
                        "-cp", module + "/target/*:" + module + "/target/lib/*", MAIN_CLASS, "idle", "--to=/a b");
    }

    @Test
    void a_script_builds_its_module_before_the_first_run() throws IOException {
        Path module = Files.createDirectories(folder.resolve("deploy/measure"));

        Result result = scripts.run(fakeTools(), "benchmark", "--help");

        assertThat(result.err())
                .contains("benchmark: building with Maven; the first time on a machine downloads about")
                .contains("mvn -B -q -DskipTests -pl deploy/measure -am package\n");
        assertThat(result.out()).contains(MAIN_CLASS);
        assertThat(module.resolve("target/built")).exists();
    }

    @Test
    void a_script_builds_again_after_a_source_has_changed() throws IOException {
        Path module = folder.resolve("deploy/measure");
        Files.createDirectories(module.resolve("target/lib"));
        Path stamp = Files.createFile(module.resolve("target/built"));
        Files.setLastModifiedTime(stamp, FileTime.from(Instant.EPOCH));
        Files.createDirectories(folder.resolve("common/src/main"));
        Files.createFile(folder.resolve("common/src/main/Changed.java"));

        Result result = scripts.run(fakeTools(), "benchmark");

        assertThat(result.err()).contains("benchmark: the sources have changed: building with Maven");
    }

    @Test
    void a_script_stops_if_the_build_fails() throws IOException {
        Map<String, String> tools = fakeTools();
        ScriptFolder.writeProgram(folder.resolve("programs/mvn"), "exit 1");

        Result result = scripts.run(tools, "benchmark");

        assertThat(result.exitCode()).isEqualTo(1);
        assertThat(result.err()).contains("benchmark: the build failed");
        assertThat(result.out()).isEmpty();
    }

    /** Returns an environment with stubs of Java and Maven that print their arguments. */
    private Map<String, String> fakeTools() throws IOException {
        Path home = folder.resolve("jdk");
        ScriptFolder.writeProgram(home.resolve("bin/java"), "printf '%s\\n' \"$@\"");
        Files.writeString(home.resolve("release"), "JAVA_VERSION=\"21.0.7\"\n");
        Path programs = folder.resolve("programs");
        ScriptFolder.writeProgram(
                programs.resolve("mvn"), "echo \"mvn $*\"; mkdir -p " + folder.resolve("deploy/measure/target/lib"));
        return Map.of("JAVA_HOME", home.toString(), "PATH", programs + ":" + System.getenv("PATH"));
    }
}
