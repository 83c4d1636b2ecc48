package org.treerename.installation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.apache.kafka.common.internals.Topic;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class InstallationTest {

    private static List<String> names(Installation installation) {
        return List.of(
                installation.requests(),
                installation.outcomes(),
                installation.progress(),
                installation.deadLetters(),
                installation.workers(),
                installation.controlIndex());
    }

    @Test
    void the_names_without_a_prefix_do_not_change() {
        assertThat(names(Installation.DEFAULT))
                .containsExactly(
                        "rename.requests",
                        "rename.outcomes",
                        "rename.progress",
                        "rename.requests-dlt",
                        "rename-workers",
                        "tree-rename-control");
    }

    @Test
    void every_name_begins_with_the_prefix() {
        assertThat(names(new Installation("blue")))
                .containsExactly(
                        "blue.rename.requests",
                        "blue.rename.outcomes",
                        "blue.rename.progress",
                        "blue.rename.requests-dlt",
                        "blue.rename-workers",
                        "blue.tree-rename-control");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a",
                "7",
                "team-7",
                "rename",
                "rename-requests",
                "tree-rename",
                "a23456789-123456789-123456789-123456789-123456789-123456789-123"
            })
    void a_valid_prefix_gives_names_that_kafka_accepts(String prefix) {
        Installation installation = new Installation(prefix);

        assertThat(installation.prefix()).isEqualTo(prefix);
        assertThat(names(installation))
                .doesNotHaveDuplicates()
                .doesNotContainAnyElementsOf(names(Installation.DEFAULT))
                .allMatch(Topic::isValid);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Blue",
                "blue.",
                "blue.green",
                "blue_green",
                "-blue",
                "blue-",
                " ",
                "blue ",
                "blau/grün",
                "grün",
                "a,b",
                "*",
                "..",
                "+a",
                "blue\n",
                "a23456789-123456789-123456789-123456789-123456789-123456789-1234"
            })
    void a_prefix_that_one_of_the_servers_would_refuse_is_refused(String prefix) {
        assertThatThrownBy(() -> new Installation(prefix))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "the prefix must have 1 to 63 characters of a-z, 0-9 and hyphens, and must begin and end with"
                                + " a letter or a digit, was \"" + prefix + "\"");
    }

    @Test
    void the_control_index_of_every_installation_is_known() {
        assertThat(List.of("tree-rename-control", "blue.tree-rename-control")).allMatch(Installation::isControlIndex);
        assertThat(List.of("files", "tree-rename-control-2", "bluetree-rename-control", "tree-rename-control.files"))
                .noneMatch(Installation::isControlIndex);
    }
}
