package org.treerename.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.treerename.crash.CrashOptions;
import org.treerename.runtime.Settings;
import org.treerename.runtime.WallClockOptions;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

final class MainTest {

    @Test
    void theReadmeHasARowForEverySettingWithItsVariableAndItsDefault() throws IOException {
        String readme = Files.readString(Path.of("..", "README.md"));

        List<String> expected = Main.command().getCommandSpec().options().stream()
                .filter(option -> !option.usageHelp() && !option.versionHelp())
                .filter(option -> !CrashOptions.NAMES.contains(option.longestName()))
                .filter(option -> !WallClockOptions.NAMES.contains(option.longestName()))
                .map(MainTest::row)
                .toList();

        assertThat(expected)
                .hasSizeGreaterThan(5)
                .allSatisfy(row -> assertThat(readme).contains(row));
    }

    private static String row(OptionSpec option) {
        String name = option.longestName();
        String value = option.defaultValue();
        return "| `" + name + "` | `" + Settings.variable(name) + "` | " + (value == null ? "" : "`" + value + "` ")
                + "|";
    }

    @Test
    void aMistypedVariableIsRefusedAndTheNearestKnownOneNamed() {
        CommandLine command = Main.command();
        assertThatThrownBy(() -> Settings.of(Map.of("TREE_RENAME_LOCKWAIT", "1s"), command))
                .hasMessageContaining("TREE_RENAME_LOCKWAIT")
                .hasMessageContaining("did you mean TREE_RENAME_LOCK_WAIT?");
    }

    @Test
    void aValueThatCannotBeIsWrongUseAndSaysWhy() {
        assertThat(run("--kafka-bootstrap-servers=x:1", "--elasticsearch-url=http://x", "--lease=100ms"))
                .isEqualTo(new Ended(2, "rename-worker: a lease is at least PT0.5S long, found PT0.1S\n"));
        assertThat(run("--kafka-bootstrap-servers=x:1", "--elasticsearch-url=http://x", "--page-size=0"))
                .isEqualTo(new Ended(2, "rename-worker: a page has 1 to 10000 documents, found 0\n"));
        assertThat(run("--kafka-bootstrap-servers=x:1", "--elasticsearch-url=http://x", "--lease=5")
                        .error())
                .contains("a duration is a number and one of ms, s, m, h, d, as in 30s, found \"5\"");
        assertThat(run("--elasticsearch-url=http://x").error()).contains("--kafka-bootstrap-servers");
    }

    @Test
    void toDieAtAPointIsRefusedOutsideTests() {
        assertThat(run("--kafka-bootstrap-servers=x:1", "--elasticsearch-url=http://x", "--crash-at=AFTER_COMMIT"))
                .isEqualTo(new Ended(
                        2,
                        "rename-worker: --crash-at, --freeze-at and --fail-at are for tests: expected TREE_RENAME_TEST_STACK=true"
                                + " in the environment, found null\n"));
    }

    private record Ended(int code, String error) {}

    private static Ended run(String... arguments) {
        StringWriter error = new StringWriter();
        CommandLine command = Main.command().setErr(new PrintWriter(error, true));
        int code = command.execute(arguments);
        return new Ended(code, error.toString());
    }
}
