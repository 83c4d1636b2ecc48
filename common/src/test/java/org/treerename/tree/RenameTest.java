package org.treerename.tree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.treerename.path.TreePath;
import org.treerename.rename.World;
import org.treerename.request.OnExisting;

class RenameTest {

    private static Rename rename(String source, String destination) {
        return new Rename("r1", World.FILES, new TreePath(source), new TreePath(destination), OnExisting.FAIL);
    }

    @ParameterizedTest(name = "{2} of {0} to {1}")
    @CsvSource({
        "/a, /b, /a, /b",
        "/a, /b, /a/a, /b/a",
        "/a, /b, /a/a/a, /b/a/a",
        "/a, /a Renamed, /a, /a Renamed",
        "/a, /a Renamed, /a/a, /a Renamed/a",
        "/a Renamed, /a, /a Renamed/a Renamed, /a/a Renamed",
        "/a, /ab, /a/b, /ab/b",
        "/a/a, /a/aa, /a/a/aa, /a/aa/aa"
    })
    void keeps_the_part_of_the_path_after_the_source(String source, String destination, String old, String expected) {
        assertThat(rename(source, destination).newPath(old)).isEqualTo(expected);
        assertThat(rename(source, destination).followed(old)).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/ab", "/a b", "/A", "/A/a", "/a.", "/a-/x", "/", "/b/a", "/a\u0301", "/a\u0301/x"})
    void does_not_change_a_similar_path(String other) {
        assertThat(rename("/a", "/b").followed(other)).isEqualTo(other);
        assertThatThrownBy(() -> rename("/a", "/b").newPath(other))
                .hasMessage("expected a path at or below /a, found " + other);
    }

    @Test
    void a_replay_does_not_move_a_moved_path_again() {
        Rename rename = rename("/a", "/a Renamed");
        String moved = rename.newPath("/a/a");

        assertThat(rename.followed(moved)).isEqualTo(moved);
        assertThatThrownBy(() -> rename.newPath(moved)).hasMessage("expected a path at or below /a, found " + moved);
    }
}
