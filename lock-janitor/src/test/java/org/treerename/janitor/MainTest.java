package org.treerename.janitor;

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
        String readme = ServiceCommandLine.readme("Settings of a janitor");

        assertThat(ServiceCommandLine.rows(Main.command()))
                .hasSizeGreaterThan(5)
                .allSatisfy(row -> assertThat(readme).contains(row));
    }

    @Test
    void aMistypedVariableIsRefusedAndTheNearestKnownOneNamed() {
        CommandLine command = Main.command();
        assertThatThrownBy(() -> Settings.of(Map.of("TREE_RENAME_SWEEPEVERY", "1s"), command))
                .hasMessageContaining("TREE_RENAME_SWEEPEVERY")
                .hasMessageContaining("did you mean TREE_RENAME_SWEEP_EVERY?");
    }

    @Test
    void aValueThatCannotBeIsWrongUseAndSaysWhy() {
        assertThat(run("--kafka-bootstrap-servers=x:1", "--elasticsearch-url=http://x", "--lease=100ms"))
                .isEqualTo(new Ended(2, "lock-janitor: a lease is at least PT0.5S long, found PT0.1S\n"));
        assertThat(run("--kafka-bootstrap-servers=x:1", "--elasticsearch-url=http://x", "--page-size=0"))
                .isEqualTo(new Ended(2, "lock-janitor: a page has 1 to 100000 documents, found 0\n"));
        assertThat(run("--elasticsearch-url=http://x").error()).contains("--kafka-bootstrap-servers");
    }

    @Test
    void aConsoleThatOthersMaySeeNeedsTokensAndItsPortIsOne() {
        assertThat(run("--kafka-bootstrap-servers=x:1", "--elasticsearch-url=http://x", "--console-host=0.0.0.0"))
                .isEqualTo(new Ended(
                        2,
                        "lock-janitor: --console-host 0.0.0.0 is seen from other machines: expected"
                                + " --console-token-file, too\n"));
        assertThat(run("--kafka-bootstrap-servers=x:1", "--elasticsearch-url=http://x", "--console-port=65536"))
                .isEqualTo(new Ended(2, "lock-janitor: --console-port is 0 to 65535, found 65536\n"));
    }

    private static Ended run(String... arguments) {
        return ServiceCommandLine.run(Main.command(), arguments);
    }
}
