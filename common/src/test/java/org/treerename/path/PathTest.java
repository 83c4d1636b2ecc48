package org.treerename.path;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PathTest {

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
    void a_text_that_is_no_path_is_refused_with_the_text_in_the_message(String text) {
        assertThat(Path.problem(text)).isPresent();
        assertThatThrownBy(() -> new Path(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("found");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"/", "/a", "/a/b", "/...", "/.a", "/ ", "/a\nb", "/\uD83D\uDE00", "/a\\b", "/*?", "/a\u0001"})
    void every_other_text_that_begins_with_a_separator_is_a_path(String text) {
        assertThat(new Path(text).text()).isEqualTo(text);
    }

    @Test
    void every_character_but_the_separator_nul_and_half_a_pair_is_a_name() {
        for (int c = 1; c <= Character.MAX_CODE_POINT; c += c < Character.MAX_VALUE ? 1 : 0xFFF) {
            boolean isNone = c == '/' || c == '.' || (c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE);
            String name = Character.toString(c);
            if (isNone) {
                assertThat(Path.problem("/" + name)).as("%x", c).isPresent();
            } else {
                Path path = new Path("/a/" + name);
                assertThat(path.name()).isEqualTo(name);
                assertThat(path.isBelow(new Path("/a"))).as("%x", c).isTrue();
                assertThat(new Path("/a" + name).isBelow(new Path("/a")))
                        .as("%x", c)
                        .isFalse();
            }
        }
    }

    @Test
    void the_message_quotes_the_beginning_of_a_long_text_as_well_formed_unicode() {
        String problem = Path.problem("x".repeat(119) + "\uD83D\uDE00").orElseThrow();

        assertThat(problem).contains("x".repeat(119) + "?…");
    }

    @Test
    void spellings_of_one_name_in_nfc_and_nfd_are_different_paths() {
        assertThat(new Path("/\u00e9")).isNotEqualTo(new Path("/e\u0301"));
    }

    @Test
    void the_limits_are_counted_in_code_points_and_segments() {
        assertThat(Path.problem("/" + "\uD83D\uDE00".repeat(Path.MAX_CODE_POINTS - 1)))
                .isEmpty();
        assertThat(Path.problem("/" + "\uD83D\uDE00".repeat(Path.MAX_CODE_POINTS)))
                .isPresent();
        assertThat(Path.problem("/a".repeat(Path.MAX_SEGMENTS))).isEmpty();
        assertThat(Path.problem("/a".repeat(Path.MAX_SEGMENTS + 1))).isPresent();
        assertThat(Notation.SLASHES.isWithinLimits("/a".repeat(Path.MAX_SEGMENTS)))
                .isTrue();
        assertThat(Notation.SLASHES.isWithinLimits("/a".repeat(Path.MAX_SEGMENTS + 1)))
                .isFalse();
        assertThat(Notation.SLASHES.isWithinLimits("/" + "\uD83D\uDE00".repeat(Path.MAX_CODE_POINTS - 1)))
                .isTrue();
        assertThat(Notation.SLASHES.isWithinLimits("/" + "a".repeat(Path.MAX_CODE_POINTS)))
                .isFalse();
    }

    @Test
    void the_root_is_its_own_parent_and_has_no_name() {
        assertThat(Path.ROOT)
                .returns(true, Path::isRoot)
                .returns(Path.ROOT, Path::parent)
                .returns("", Path::name)
                .returns(List.of(), Path::segments)
                .returns(List.of(), Path::properAncestors);
    }

    @Test
    void a_deep_path_has_parts() {
        assertThat(new Path("/a/b/c"))
                .returns(false, Path::isRoot)
                .returns(new Path("/a/b"), Path::parent)
                .returns("c", Path::name)
                .returns(List.of("a", "b", "c"), Path::segments)
                .returns(List.of(new Path("/a"), new Path("/a/b")), Path::properAncestors);
        assertThat(new Path("/a")).returns(Path.ROOT, Path::parent).returns(List.of(), Path::properAncestors);
    }

    @Test
    void below_means_below_the_separator() {
        Path a = new Path("/a");

        assertThat(new Path("/a/b").isBelow(a)).isTrue();
        assertThat(new Path("/ab").isBelow(a)).isFalse();
        assertThat(a.isBelow(a)).isFalse();
        assertThat(a.isAtOrBelow(a)).isTrue();
        assertThat(a.isBelow(Path.ROOT)).isTrue();
        assertThat(Path.ROOT.isBelow(Path.ROOT)).isFalse();
        assertThat(Path.ROOT.isBelow(a)).isFalse();
    }

    @Test
    void a_child_stands_below() {
        assertThat(Path.ROOT.child("a")).isEqualTo(new Path("/a"));
        assertThat(new Path("/a").child("b")).isEqualTo(new Path("/a/b"));
    }
}
