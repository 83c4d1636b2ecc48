package org.treerename.testservers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class NeededToolsTest {

    @Test
    void a_test_runs_when_its_programs_are_installed() {
        assertThat(NeededTools.missing("ThisTest", new String[] {"sh"}, Set.of("sh")))
                .isEmpty();
    }

    @Test
    void a_test_is_skipped_when_an_optional_program_is_missing() {
        assertThat(NeededTools.missing("ThisTest", new String[] {"sh", "no-such-tool"}, Set.of("sh", "another")))
                .contains("ThisTest needs no-such-tool; install with: deploy/verify/packages");
    }

    @Test
    void a_test_fails_when_a_required_program_is_missing() {
        assertThatThrownBy(() -> NeededTools.missing(
                        "ThisTest", new String[] {"sh", "no-such-tool"}, Set.of("another", "no-such-tool")))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("ThisTest needs no-such-tool; install with: deploy/verify/packages");
    }

    @Test
    void the_file_has_one_line_for_each_test_whose_last_run_was_skipped(@TempDir Path folder) {
        Path file = folder.resolve("target/not-run.txt");
        NeededTools.record(file, "ATest", Optional.empty());
        assertThat(file).doesNotExist();

        NeededTools.record(file, "ATest", Optional.of("ATest needs a"));
        NeededTools.record(file, "ATest.method", Optional.of("ATest.method needs b"));
        NeededTools.record(file, "ATest", Optional.of("ATest needs c"));
        assertThat(file).hasContent("ATest.method needs b\nATest needs c");

        NeededTools.record(file, "ATest.method", Optional.empty());
        assertThat(file).hasContent("ATest needs c");
    }
}
