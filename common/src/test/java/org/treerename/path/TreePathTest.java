package org.treerename.path;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TreePathTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "a",
                "a/b",
                "//",
                "//a",
                "/a//b",
                "/a/",
                "/.",
                "/..",
                "/a/./b",
                "/a/../b",
                "/a\0b",
                "/\uD83D",
                "/\uDE00/a"
            })
    void refuses_a_text_that_is_not_a_path_with_the_text_in_the_message(String text) {
        assertThat(TreePath.problem(text)).isPresent();
        assertThatThrownBy(() -> new TreePath(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("found");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"/", "/a", "/a/b", "/...", "/.a", "/ ", "/a\nb", "/\uD83D\uDE00", "/a\\b", "/*?", "/a\u0001"})
    void every_other_text_that_begins_with_a_separator_is_a_path(String text) {
        assertThat(new TreePath(text).text()).isEqualTo(text);
    }

    @Test
    void every_character_except_separator_nul_and_lone_surrogate_is_allowed_in_a_name() {
        for (int c = 1; c <= Character.MAX_CODE_POINT; c += c < Character.MAX_VALUE ? 1 : 0xFFF) {
            boolean isForbidden =
                    c == '/' || c == '.' || (c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE);
            String name = Character.toString(c);
            if (isForbidden) {
                assertThat(TreePath.problem("/" + name))
                        .as("problem of the character %x", c)
                        .isPresent();
            } else {
                TreePath path = new TreePath("/a/" + name);
                assertThat(path.name()).isEqualTo(name);
                assertThat(path.isBelow(new TreePath("/a"))).as("%x", c).isTrue();
                assertThat(new TreePath("/a" + name).isBelow(new TreePath("/a")))
                        .as("%x", c)
                        .isFalse();
            }
        }
    }

    @Test
    void the_message_quotes_the_beginning_of_a_long_text_as_well_formed_unicode() {
        String problem = TreePath.problem("x".repeat(119) + "\uD83D\uDE00").orElseThrow();

        assertThat(problem).contains("x".repeat(119) + "?…");
    }

    @Test
    void spellings_of_one_name_in_nfc_and_nfd_are_different_paths() {
        assertThat(new TreePath("/\u00e9")).isNotEqualTo(new TreePath("/e\u0301"));
    }

    @Test
    void the_limits_are_counted_in_code_points_and_segments() {
        assertThat(TreePath.problem("/" + "\uD83D\uDE00".repeat(TreePath.MAX_CODE_POINTS - 1)))
                .isEmpty();
        assertThat(TreePath.problem("/" + "\uD83D\uDE00".repeat(TreePath.MAX_CODE_POINTS)))
                .isPresent();
        assertThat(TreePath.problem("/a".repeat(TreePath.MAX_SEGMENTS))).isEmpty();
        assertThat(TreePath.problem("/a".repeat(TreePath.MAX_SEGMENTS + 1))).isPresent();
        assertThat(Notation.SLASHES.isWithinLimits("/a".repeat(TreePath.MAX_SEGMENTS)))
                .isTrue();
        assertThat(Notation.SLASHES.isWithinLimits("/a".repeat(TreePath.MAX_SEGMENTS + 1)))
                .isFalse();
        assertThat(Notation.SLASHES.isWithinLimits("/" + "\uD83D\uDE00".repeat(TreePath.MAX_CODE_POINTS - 1)))
                .isTrue();
        assertThat(Notation.SLASHES.isWithinLimits("/" + "a".repeat(TreePath.MAX_CODE_POINTS)))
                .isFalse();
    }

    @Test
    void the_root_is_its_own_parent_and_has_no_name() {
        assertThat(TreePath.ROOT)
                .returns(true, TreePath::isRoot)
                .returns(TreePath.ROOT, TreePath::parent)
                .returns("", TreePath::name)
                .returns(List.of(), TreePath::segments)
                .returns(List.of(), TreePath::properAncestors);
    }

    @Test
    void a_deep_path_has_a_parent_a_name_segments_and_ancestors() {
        assertThat(new TreePath("/a/b/c"))
                .returns(false, TreePath::isRoot)
                .returns(new TreePath("/a/b"), TreePath::parent)
                .returns("c", TreePath::name)
                .returns(List.of("a", "b", "c"), TreePath::segments)
                .returns(List.of(new TreePath("/a"), new TreePath("/a/b")), TreePath::properAncestors);
        assertThat(new TreePath("/a"))
                .returns(TreePath.ROOT, TreePath::parent)
                .returns(List.of(), TreePath::properAncestors);
    }

    @Test
    void a_path_is_below_another_only_with_a_separator_between() {
        TreePath a = new TreePath("/a");

        assertThat(new TreePath("/a/b").isBelow(a)).isTrue();
        assertThat(new TreePath("/ab").isBelow(a)).isFalse();
        assertThat(a.isBelow(a)).isFalse();
        assertThat(a.isAtOrBelow(a)).isTrue();
        assertThat(a.isBelow(TreePath.ROOT)).isTrue();
        assertThat(TreePath.ROOT.isBelow(TreePath.ROOT)).isFalse();
        assertThat(TreePath.ROOT.isBelow(a)).isFalse();
    }

    @Test
    void a_child_is_its_parent_and_a_segment() {
        assertThat(TreePath.ROOT.child("a")).isEqualTo(new TreePath("/a"));
        assertThat(new TreePath("/a").child("b")).isEqualTo(new TreePath("/a/b"));
    }
}
