package org.treerename.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.treerename.host.ServiceCommandLine;
import org.treerename.host.ServiceCommandLine.Ended;
import org.treerename.runtime.Settings;
import picocli.CommandLine;

final class MainTest {

    @Test
    void theReadmeHasARowForEverySettingWithItsVariableAndItsDefault() {
        String readme = ServiceCommandLine.readme("Settings of a worker");

        assertThat(ServiceCommandLine.rows(Main.command()))
                .hasSizeGreaterThan(5)
                .allSatisfy(row -> assertThat(readme).contains(row));
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
                .isEqualTo(new Ended(2, "rename-worker: a page has 1 to 100000 documents, found 0\n"));
        assertThat(run("--kafka-bootstrap-servers=x:1", "--elasticsearch-url=http://x", "--lease=5")
                        .error())
                .contains("a duration is a number and one of ms, s, m, h, d, as in 30s, found \"5\"");
        assertThat(run("--elasticsearch-url=http://x").error()).contains("--kafka-bootstrap-servers");
    }

    @Test
    void refuses_a_crash_point_outside_tests() {
        assertThat(run("--kafka-bootstrap-servers=x:1", "--elasticsearch-url=http://x", "--crash-at=AFTER_COMMIT"))
                .isEqualTo(new Ended(
                        2,
                        "rename-worker: --crash-at, --freeze-at, --fail-at and --gate-at are for tests: expected"
                                + " TREE_RENAME_TEST_STACK=true in the environment, found null\n"));
    }

    private static Ended run(String... arguments) {
        return ServiceCommandLine.run(Main.command(), arguments);
    }
}
