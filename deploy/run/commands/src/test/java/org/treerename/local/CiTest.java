package org.treerename.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.treerename.local.ScriptFolder.Result;

/** Tests {@code .ci/run} and {@code .ci/containers}. Stubs replace the programs that these scripts start. */
class CiTest {

    private static final String MAVEN =
            "mvn verify --batch-mode --no-transfer-progress -Drequire=chromium,chromedriver,promtool,kcat,python3-confluent-kafka";

    @TempDir
    private Path folder = Path.of("");

    @BeforeEach
    void copy_script() throws IOException {
        Files.createDirectory(folder.resolve(".ci"));
        for (String file : List.of("run", "steps.sh", "containers")) {
            Files.copy(ScriptFolder.repository().resolve(".ci/" + file), folder.resolve(".ci/" + file));
        }
    }

    private Result run(Map<String, Integer> exitCodes) throws IOException {
        for (String program : List.of("deploy/verify/packages", "deploy/run/demo", ".ci/containers", "bin/mvn")) {
            ScriptFolder.writeProgram(
                    folder.resolve(program), "echo \"> ${0##*/} $*\"; exit " + exitCodes.getOrDefault(program, 0));
        }
        Map<String, String> environment = Map.of("PATH", folder.resolve("bin") + ":" + System.getenv("PATH"));
        return ScriptFolder.run(
                folder, environment, List.of(folder.resolve(".ci/run").toString()));
    }

    @Test
    void runs_packages_demo_tests_and_containers_in_this_order() throws IOException {
        Result result = run(Map.of());

        assertThat(result.exitCode()).as(result::toString).isZero();
        assertThat(result.out().lines().filter(line -> line.startsWith(">")))
                .containsExactly("> packages --jdk", "> demo ", "> " + MAVEN, "> containers --required");
        assertThat(result.out())
                .startsWith("The steps: packages, demo, tests, containers.\n")
                .contains("--- tests: " + MAVEN + "\n")
                .containsPattern("--- tests: ok, \\d+:\\d\\d\n")
                .containsPattern("run: every step passed, \\d+:\\d\\d in all\n$");
    }

    @Test
    void stops_at_the_first_failing_step_with_its_exit_code() throws IOException {
        Result result = run(Map.of("deploy/run/demo", 7));

        assertThat(result.exitCode()).isEqualTo(7);
        assertThat(result.out()).contains("> demo").doesNotContain("> mvn", "> containers");
        assertThat(result.err())
                .matches("run: FAILED at the step \"demo\" after \\d+:\\d\\d, exit code 7: deploy/run/demo\n");
    }

    @Test
    void runs_both_commands_of_the_readme() throws IOException {
        List<String> readme = Files.readAllLines(ScriptFolder.repository().resolve("README.md"));
        List<String> commands = readme.subList(readme.indexOf("## Two commands"), readme.size()).stream()
                .filter(line -> line.startsWith("    "))
                .map(String::strip)
                .limit(2)
                .toList();

        assertThat(commands).containsExactly("deploy/run/demo", "mvn verify");
        assertThat(Files.readString(folder.resolve(".ci/run")).lines())
                .contains("step demo " + commands.getFirst())
                .anyMatch(line -> line.startsWith("step tests " + commands.getLast() + " "));
    }

    /** Runs {@code .ci/containers} with the given scripts in place of Docker and Maven. */
    private Result containers(String docker, String maven, String... arguments) throws IOException {
        Path programs = folder.resolve("bin");
        ScriptFolder.writeProgram(programs.resolve("docker"), docker);
        ScriptFolder.writeProgram(programs.resolve("id"), "echo 1000");
        ScriptFolder.writeProgram(programs.resolve("mvn"), maven);
        for (String program : List.of("build-local", "build", "try")) {
            ScriptFolder.writeProgram(folder.resolve("deploy/run/images").resolve(program), "echo \"> ${0##*/} $*\"");
        }
        for (String file : List.of("pom.xml", "deploy/run/compose/compose.yaml")) {
            Path copy = folder.resolve(file);
            Files.createDirectories(copy.resolveSibling("."));
            Files.copy(ScriptFolder.repository().resolve(file), copy, StandardCopyOption.REPLACE_EXISTING);
        }
        List<String> command =
                new ArrayList<>(List.of(folder.resolve(".ci/containers").toString()));
        command.addAll(List.of(arguments));
        return ScriptFolder.run(folder, Map.of("PATH", programs + ":" + System.getenv("PATH")), command);
    }

    /** Returns a script that replaces Maven. The script writes a report of PathsIT with this test case. */
    private String mavenThatReports(String testcase) throws IOException {
        Path reports = Files.createDirectories(folder.resolve("deploy/verify/end-to-end/target/failsafe-reports"));
        return "echo '" + testcase + "' > " + reports.resolve("TEST-org.treerename.endtoend.PathsIT.xml");
    }

    @Test
    void containers_fails_without_an_engine_if_it_is_required() throws IOException {
        Result required = containers("exit 1", "exit 0", "--required");

        assertThat(required.exitCode()).as(required::toString).isEqualTo(1);
        assertThat(required.out()).contains("containers: DID NOT RUN").contains("only root can start one");
        assertThat(containers("exit 1", "exit 0")).isEqualTo(new Result(0, required.out(), required.err()));
    }

    @Test
    void containers_builds_images_and_tests_them() throws IOException {
        Result result = containers("exit 0", mavenThatReports("<testcase name=\"a\"/>"), "--required");

        assertThat(result.exitCode()).as(result::toString).isZero();
        assertThat(result.out().lines().filter(line -> line.startsWith(">")))
                .containsExactly(
                        "> build-local --servers-only", "> build --without-maven --base=tree-rename/base", "> try ");
    }

    @Test
    void containers_fails_if_its_test_did_not_run_or_failed() throws IOException {
        List<String> mavens = List.of(
                "exit 0",
                mavenThatReports("<testcase name=\"a\"><skipped/></testcase>"),
                mavenThatReports("<testcase name=\"a\"><failure type=\"x\"/></testcase>"));
        for (String maven : mavens) {
            Result result = containers("exit 0", maven, "--required");

            assertThat(result.exitCode()).as(result::toString).isEqualTo(1);
            assertThat(result.err()).contains("containers: FAILED, PathsIT did not run or did not pass");
        }
    }

    @Test
    void containers_refuses_an_unknown_argument() throws IOException {
        Result result = containers("exit 0", "exit 0", "--fast");

        assertThat(result.exitCode()).isEqualTo(2);
        assertThat(result.err()).contains("containers: unknown argument --fast");
    }
}
