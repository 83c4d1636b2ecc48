package org.treerename.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.ParameterException;

final class CrashOptionsTest {

    @Test
    void without_options_there_is_no_crash_point() {
        assertThat(options().points().isOff()).isTrue();
    }

    @Test
    void accepts_a_point() {
        assertThat(options("--crash-at=AFTER_COMMIT").points().isOff()).isFalse();
        assertThat(options("--freeze-at=before-move:3").points().isOff()).isFalse();
        assertThat(options("--gate-at=between-pages:2@gate").points().isOff()).isFalse();
        assertThat(options("--gate-at=between-pages:2+@gate").points().isOff()).isFalse();
    }

    @Test
    void refuses_more_than_one_action() {
        assertThatThrownBy(() -> options("--crash-at=AFTER_COMMIT", "--freeze-at=AFTER_DONE")
                        .points())
                .hasMessage("only one of --crash-at, --freeze-at, --fail-at and --gate-at is allowed, found 2");
        assertThatThrownBy(() -> options("--fail-at=AFTER_COMMIT", "--gate-at=AFTER_DONE@gate")
                        .points())
                .hasMessage("only one of --crash-at, --freeze-at, --fail-at and --gate-at is allowed, found 2");
    }

    @Test
    void refuses_a_gate_without_a_file() {
        for (String gate : List.of("BETWEEN_PAGES", "BETWEEN_PAGES@", "BETWEEN_PAGES:2@")) {
            assertThatThrownBy(() -> options("--gate-at=" + gate))
                    .isInstanceOf(ParameterException.class)
                    .hasMessageContaining("as in BEFORE_MOVE:3@/tmp/gate, found \"" + gate + "\"");
        }
        assertThatThrownBy(() -> options("--gate-at=AFTER_LUNCH@gate")).hasMessageContaining("AFTER_LUNCH");
    }

    @Test
    void refuses_an_unknown_point_and_names_the_known_points() {
        assertThatThrownBy(() -> options("--crash-at=AFTER_LUNCH"))
                .isInstanceOf(ParameterException.class)
                .hasMessageContaining("AFTER_LUNCH")
                .hasMessageContaining("BEFORE_OFFSET");
        assertThatThrownBy(() -> options("--crash-at=AFTER_COMMIT:0")).hasMessageContaining("such as BEFORE_MOVE:3");
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
