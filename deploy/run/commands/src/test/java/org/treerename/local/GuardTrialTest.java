package org.treerename.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GuardTrialTest {

    private static final Mutation NO_CHECK =
            new Mutation("src/A.java", 2, "check removed", List.of("check();"), List.of());

    /** A test command that fails if the call to {@code check()} is removed. */
    private static final String TEST = "grep -q 'check();' src/A.java";

    @TempDir
    Path folder;

    private GuardTrial trial;

    @BeforeEach
    void copies_a_repository() throws IOException, InterruptedException {
        Path repository = Files.createDirectories(folder.resolve("repository"));
        Files.writeString(
                Files.createDirectories(repository.resolve("src")).resolve("A.java"), "open();\ncheck();\nwrite();\n");
        run("git", "-C", repository.toString(), "init", "--quiet");
        run("git", "-C", repository.toString(), "add", ".");
        run(
                "git",
                "-C",
                repository.toString(),
                "-c",
                "user.name=test",
                "-c",
                "user.email=test@example.org",
                "commit",
                "--quiet",
                "--message=first");
        trial = GuardTrial.of(repository, "HEAD", folder.resolve("logs"), Duration.ofMinutes(1));
    }

    @AfterEach
    void deletes_the_copy() {
        trial.close();
    }

    private static void run(String... words) throws IOException, InterruptedException {
        assertThat(new ProcessBuilder(words).inheritIO().start().waitFor()).isZero();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "[ERROR] ATest.checks -- Time elapsed: 1 s <<< FAILURE!",
                "FAILED ATest.checks\nFAILED ATest.opens"
            })
    void a_broken_guard_is_caught_by_the_first_test_that_fails(String output) {
        String test = "grep -q 'check();' src/A.java || { echo '" + output + "'; exit 1; }";

        assertThat(trial.test(NO_CHECK, test)).isEqualTo(new GuardTrial.Result.Caught("ATest.checks"));
    }

    @Test
    void a_broken_guard_that_no_test_notices_survives() {
        assertThat(trial.test(NO_CHECK, "grep -q 'write();' src/A.java")).isEqualTo(new GuardTrial.Result.Survived());
    }

    @Test
    void restores_the_guard_after_the_test() {
        trial.test(NO_CHECK, TEST);

        assertThat(trial.test(TEST)).isEqualTo(new GuardTrial.Result.Survived());
        assertThat(trial.lines("src/A.java")).containsExactly("open();", "check();", "write();", "");
    }

    @Test
    void reports_code_that_does_not_compile() {
        assertThat(trial.test(NO_CHECK, "echo '[ERROR] COMPILATION ERROR : '; exit 1"))
                .isEqualTo(new GuardTrial.Result.DoesNotCompile());
    }

    @Test
    void does_not_test_a_version_without_the_lines_of_the_mutation() {
        assertThat(trial.test(new Mutation("src/A.java", 2, "check removed", List.of("other();"), List.of()), TEST))
                .isEqualTo(new GuardTrial.Result.NotFound());
        assertThat(trial.test(new Mutation("src/B.java", 2, "check removed", List.of("check();"), List.of()), TEST))
                .isEqualTo(new GuardTrial.Result.NotFound());
    }

    @Test
    void sources_are_sorted_and_a_missing_folder_is_refused() {
        assertThat(trial.sources(List.of("src"))).containsExactly("src/A.java");
        assertThatThrownBy(() -> trial.sources(List.of("nothing")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("nothing");
    }

    @Test
    void deletes_the_copy_with_the_files_that_a_test_left_in_it() throws IOException {
        trial.test(
                "mkdir -p target/classes && touch target/classes/A.class && pwd > '" + folder.resolve("place") + "'");
        Path copy = Path.of(Files.readString(folder.resolve("place")).strip());
        assertThat(copy).exists();

        trial.close();

        assertThat(copy).doesNotExist();
    }
}
