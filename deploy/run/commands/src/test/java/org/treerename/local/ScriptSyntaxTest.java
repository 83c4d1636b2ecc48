package org.treerename.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.treerename.local.ScriptFolder.Result;

/** Tests that bash can parse every shell script of the repository. */
class ScriptSyntaxTest {

    private static final List<String> FOLDERS = List.of(".ci", "deploy");

    @TempDir
    private Path folder = Path.of("");

    private static List<String> scripts() throws IOException {
        List<String> scripts = new ArrayList<>();
        for (String folder : FOLDERS) {
            try (Stream<Path> files = Files.walk(ScriptFolder.repository().resolve(folder))) {
                files.filter(ScriptSyntaxTest::isScript).map(Path::toString).forEach(scripts::add);
            }
        }
        return scripts;
    }

    private static boolean isScript(Path file) {
        String name = ScriptFolder.repository().relativize(file).toString();
        if (name.contains("/target/") || name.contains("/output/") || !Files.isRegularFile(file)) {
            return false;
        }
        return name.endsWith(".sh") || beginsLikeScript(file);
    }

    private static boolean beginsLikeScript(Path file) {
        try (Stream<String> lines = Files.lines(file, StandardCharsets.ISO_8859_1)) {
            return lines.findFirst()
                    .filter(line -> line.matches("#!.*\\b(ba)?sh"))
                    .isPresent();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void bash_can_parse_every_script() throws IOException {
        List<String> scripts = scripts();

        assertThat(scripts).hasSizeGreaterThan(20).anyMatch(script -> script.endsWith(".ci/run"));
        for (String script : scripts) {
            assertThat(ScriptFolder.run(folder, Map.of(), List.of("bash", "-n", script)))
                    .isEqualTo(new Result(0, "", ""));
        }
    }
}
