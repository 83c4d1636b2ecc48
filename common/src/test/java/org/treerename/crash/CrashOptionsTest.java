package org.treerename.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.treerename.runtime.Settings;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.ParameterException;

final class CrashOptionsTest {

    private static final Map<String, String> TEST = Map.of(Settings.TEST_STACK, "true");

    @Test
    void whoAsksForNothingGetsNothing() {
        assertThat(options().points(Map.of()).isOff()).isTrue();
        assertThat(options().points(TEST).isOff()).isTrue();
    }

    @Test
    void inATestAPointMayBeNamed() {
        assertThat(options("--crash-at=AFTER_COMMIT").points(TEST).isOff()).isFalse();
        assertThat(options("--freeze-at=before-move:3").points(TEST).isOff()).isFalse();
    }

    @Test
    void outsideTestsItIsRefused() {
        assertThatThrownBy(() -> options("--crash-at=AFTER_COMMIT").points(Map.of()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "--crash-at, --freeze-at and --fail-at are for tests: expected TREE_RENAME_TEST_STACK=true in the"
                                + " environment, found null");
        assertThatThrownBy(() -> options("--freeze-at=AFTER_COMMIT").points(Map.of(Settings.TEST_STACK, "false")))
                .hasMessageContaining("found false");
    }

    @Test
    void nobodyDiesAndFreezes() {
        assertThatThrownBy(() -> options("--crash-at=AFTER_COMMIT", "--freeze-at=AFTER_DONE")
                        .points(TEST))
                .hasMessage("expected one of --crash-at and --freeze-at, found both");
    }

    @Test
    void aPointThatIsNoneIsRefusedAndTheKnownOnesNamed() {
        assertThatThrownBy(() -> options("--crash-at=AFTER_LUNCH"))
                .isInstanceOf(ParameterException.class)
                .hasMessageContaining("AFTER_LUNCH")
                .hasMessageContaining("BEFORE_OFFSET");
        assertThatThrownBy(() -> options("--crash-at=AFTER_COMMIT:0")).hasMessageContaining("as in BEFORE_MOVE:3");
    }

    @Command
    private static final class Service {
        @Mixin
        private final CrashOptions crash = new CrashOptions();
    }

    private static CrashOptions options(String... arguments) {
        Service service = new Service();
        new CommandLine(service).parseArgs(arguments);
        return service.crash;
    }
}
