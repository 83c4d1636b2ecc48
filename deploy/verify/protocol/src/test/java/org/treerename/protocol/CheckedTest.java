package org.treerename.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CheckedTest {

    private static final Check DOOR = door("Locked = TRUE", "holds");

    private static Check door(String text, String expected) {
        return new Check(new Configuration("Door", text), expected);
    }

    @TempDir
    Path folder;

    @Test
    void a_written_check_can_be_read_back() {
        Path file = folder.resolve("checked.txt");

        Checked.of(List.of(DOOR)).write(file);

        assertThat(Checked.read(file)).isEqualTo(Checked.of(List.of(DOOR)));
        assertThat(Checked.read(file).has(DOOR)).isTrue();
    }

    @Test
    void a_missing_file_contains_no_check() {
        assertThat(Checked.read(folder.resolve("nothing")).has(DOOR)).isFalse();
    }

    @Test
    void a_check_with_another_configuration_or_verdict_is_not_recorded() {
        Checked checked = Checked.of(List.of(DOOR));

        assertThat(checked.has(door("Locked = FALSE", "holds"))).isFalse();
        assertThat(checked.has(door("Locked = TRUE", "breaks NobodyInside"))).isFalse();
    }

    @Test
    void small_configurations_are_checked_with_all_guards_and_without_each_guard() {
        List<Check> checks = Check.small();

        for (Configuration configuration : Configuration.small()) {
            assertThat(checks).contains(new Check(configuration, "holds"));
            for (Guard guard : configuration.guards()) {
                assertThat(checks).contains(new Check(configuration.without(guard), "breaks " + guard.breaks()));
            }
        }
        assertThat(checks.stream().map(Check::name)).doesNotHaveDuplicates();
    }
}
