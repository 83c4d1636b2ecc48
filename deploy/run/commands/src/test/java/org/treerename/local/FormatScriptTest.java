package org.treerename.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.treerename.local.ScriptFolder.Result;

/** Tests {@code .ci/format} with a stub of Java that prints the names of the files to format. */
class FormatScriptTest {

    private static final Path SOURCE = Path.of("common/src/main/java/A.java");
    private static final Path OTHER = Path.of("common/src/test/java/B.java");

    @TempDir
    private Path folder = Path.of("");

    @BeforeEach
    void copy_script() throws IOException {
        Files.createDirectory(folder.resolve(".ci"));
        Files.copy(ScriptFolder.repository().resolve(".ci/format"), folder.resolve(".ci/format"));
        write(Path.of("pom.xml"));
        write(SOURCE);
        write(OTHER);
        write(Path.of("common/target/generated/src/main/java/C.java"));
        write(Path.of("common/src/it/outsider/src/main/java/D.java"));
    }

    private void write(Path file) throws IOException {
        Files.createDirectories(folder.resolve(file).resolveSibling("."));
        Files.writeString(folder.resolve(file), "");
    }

    private void changeLater(Path file) throws IOException {
        Files.setLastModifiedTime(
                folder.resolve(file), FileTime.from(Instant.now().plusSeconds(60)));
    }

    private Result format(String mode, int exitCode) throws IOException {
        Path home = folder.resolve("jdk");
        ScriptFolder.writeProgram(
                home.resolve("bin/java"),
                "for last; do :; done; sort \"${last#@}\"; echo \"$*\" >&2; exit " + exitCode);
        return ScriptFolder.run(
                folder,
                Map.of("TOOLCHAIN_JAVA_HOME", home.toString()),
                List.of(folder.resolve(".ci/format").toString(), mode, "formatter.jar"));
    }

    @Test
    void a_wrong_format_fails_with_the_files_and_the_command_that_corrects_them() throws IOException {
        Result result = format("check", 1);

        assertThat(result.exitCode()).isEqualTo(1);
        assertThat(result.err())
                .contains("--dry-run")
                .endsWith(
                        SOURCE + "\n" + OTHER
                                + "\nformat: the format of the files above is wrong; mvn -pl deploy/verify/format -am verify -Dformat=write mends it\n");
        assertThat(format("check", 1)).matches(again -> again.exitCode() == 1, "fails again");
    }

    @Test
    void checks_only_files_that_changed_since_the_last_successful_check() throws IOException {
        assertThat(format("check", 0).exitCode()).isZero();

        assertThat(format("check", 1)).isEqualTo(new Result(0, "", ""));
        changeLater(OTHER);
        assertThat(format("check", 1).err()).contains(OTHER.toString()).doesNotContain(SOURCE.toString());
        changeLater(Path.of("pom.xml"));
        assertThat(format("check", 1).err()).contains(OTHER.toString(), SOURCE.toString());
    }

    @Test
    void write_replaces_the_files() throws IOException {
        Result result = format("write", 0);

        assertThat(result.exitCode()).isZero();
        assertThat(result.err()).contains("--replace").doesNotContain("--dry-run");
    }
}
