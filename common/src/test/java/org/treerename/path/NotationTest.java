package org.treerename.path;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class NotationTest {

    private static final Notation TERMS = new Notation(".", false, true);
    private static final Notation COLONS = new Notation("::", false, false);

    private static final List<Notation> NOTATIONS = List.of(
            Notation.SLASHES,
            new Notation("/", false, false),
            new Notation("/", true, true),
            new Notation(".", false, false),
            TERMS,
            COLONS,
            new Notation("::", true, true),
            new Notation("::", false, true),
            new Notation("->-", false, true),
            new Notation("->-", true, false),
            new Notation(" > ", false, false));

    @ParameterizedTest
    @ValueSource(strings = {"a", "a.b", "a.b.c", "\"a.b\"", "\"a.b\".c", "x.\"\"\"\".y", "\"say \"\"hi\"\"\""})
    void a_segment_is_quoted_only_if_necessary(String text) {
        assertThat(TERMS.path(text).text()).isEqualTo(text);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                ".a",
                "a.",
                "a..b",
                "\"a\"",
                "\"a\".b",
                "a\"b",
                "\"a.b",
                "a.b\"",
                "\"\"",
                "a.\"\"",
                "\"a.b\"c",
                "\"a\"b.c\"",
                "\"\"\"\"\"",
                "a\0b"
            })
    void each_path_has_one_spelling(String text) {
        assertThat(TERMS.problem(text)).isPresent();
        assertThatThrownBy(() -> TERMS.path(text)).hasMessageContaining("found");
    }

    @Test
    void names_are_unquoted_and_quoted() {
        TreePath path = TERMS.path("svc.\"db.1\".\"say \"\"hi\"\"\"");

        assertThat(path.segments()).containsExactly("svc", "db.1", "say \"hi\"");
        assertThat(path.name()).isEqualTo("say \"hi\"");
        assertThat(path.parent()).isEqualTo(TERMS.path("svc.\"db.1\""));
        assertThat(path.properAncestors()).containsExactly(TERMS.path("svc"), TERMS.path("svc.\"db.1\""));
        assertThat(TERMS.path("svc").child("db.1").child("say \"hi\"")).isEqualTo(path);
    }

    @Test
    void the_root_of_a_notation_without_a_leading_separator_is_the_empty_text() {
        assertThat(TERMS.root())
                .returns("", TreePath::text)
                .returns(true, TreePath::isRoot)
                .returns("", TreePath::prefixOfBelow)
                .returns(List.of(), TreePath::segments)
                .returns(TERMS.root(), TreePath::parent);
        assertThat(TERMS.path("a").parent()).isEqualTo(TERMS.root());
        assertThat(TERMS.path("a").isBelow(TERMS.root())).isTrue();
        assertThat(TERMS.root().child("a.b")).isEqualTo(TERMS.path("\"a.b\""));
        assertThat(new Notation("::", true, false).root().text()).isEqualTo("::");
    }

    @Test
    void refuses_an_unquoted_name_that_ends_with_the_beginning_of_a_long_separator() {
        assertThat(COLONS.problem("a:::b")).isEmpty();
        assertThat(COLONS.path("a:::b").segments()).containsExactly("a", ":b");
        assertThat(COLONS.problem("a:")).isPresent();
        assertThat(COLONS.problem("a::b:")).isPresent();
        assertThat(new Notation("::", false, true).root().child("a:").text()).isEqualTo("\"a:\"");
    }

    @Test
    void dots_are_ordinary_names_unless_the_separator_is_a_slash() {
        assertThat(COLONS.problem("..::.")).isEmpty();
        assertThat(new Notation("/", false, false).problem("a/..")).isPresent();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "\"", "a", "1", "\0", "\n", "\uD83D\uDE00", "\uD7FF", "\uFFFF", "123456789", "/////////"})
    void refuses_an_invalid_separator(String separator) {
        assertThatThrownBy(() -> new Notation(separator, true, false)).hasMessageContaining("\"" + separator + "\"");
    }

    @ParameterizedTest(name = "{0} of {1}: {2}")
    @CsvSource({
        "0, a.b.c, ''",
        "1, a.b.c, a",
        "2, a.b.c, a.b",
        "3, a.b.c, a.b.c",
        "9, a.b.c, a.b.c",
        "1, '\"a.b\".c', '\"a.b\"'",
        "1, '', ''"
    })
    void returns_the_first_segments_as_they_are_spelled(int segments, String text, String first) {
        assertThat(TERMS.firstOf(text, segments)).isEqualTo(first);
    }

    @Test
    void the_limits_hold_under_every_notation() {
        for (Notation notation : NOTATIONS) {
            TreePath deepest = notation.root();
            for (int i = 0; i < TreePath.MAX_SEGMENTS; i++) {
                deepest = notation.path(deepest.prefixOfBelow() + "a");
            }
            String deeper = deepest.prefixOfBelow() + "a";
            assertThat(notation.problem(deeper))
                    .as("problem of a path that is too deep in %s", notation)
                    .isPresent();
            assertThat(notation.isWithinLimits(deepest.text())).isTrue();
            assertThat(notation.isWithinLimits(deeper)).isFalse();
        }
    }

    static Stream<Arguments> notationsAndSeeds() {
        return NOTATIONS.stream().flatMap(notation -> Stream.of(1L, 2L, 3L).map(seed -> Arguments.of(notation, seed)));
    }

    /** Joins a few random pieces to a name. Many results are similar, and some results are invalid in a notation. */
    private static String name(Random random, Notation notation) {
        String one = notation.separator().substring(0, 1);
        List<String> pieces =
                List.of("a", "b", "A", " ", "\"", notation.separator(), one, "-", ":", "\u00e9", "e\u0301");
        StringBuilder name = new StringBuilder(random.nextInt(3) == 0 ? "" : "a");
        for (int i = random.nextInt(3); i > 0 || name.isEmpty(); i--) {
            name.append(pieces.get(random.nextInt(pieces.size())));
        }
        return name.toString();
    }

    /**
     * Returns whether each name can be one segment. In a notation without quotes, a name must not contain the
     * separator. In a path, the first separator must begin directly after the name. For example, {@code a:} is not a
     * segment if the separator is {@code ::}, because {@code a:::b} consists of {@code a} and {@code :b}.
     */
    private static boolean areSegments(List<String> names, Notation notation) {
        String separator = notation.separator();
        return notation.quoted()
                || names.stream().allMatch(name -> (name + separator).indexOf(separator) == name.length());
    }

    /** Compares paths with lists of names, because a path is a list of names. */
    @ParameterizedTest(name = "{0} with seed {1}")
    @MethodSource("notationsAndSeeds")
    void a_path_behaves_like_the_list_of_its_names(Notation notation, long seed) {
        Random random = new Random(seed);
        List<List<String>> lists = new ArrayList<>();
        List<TreePath> paths = new ArrayList<>();
        while (paths.size() < 120) {
            List<String> names = new ArrayList<>(
                    paths.isEmpty() || random.nextBoolean() ? List.of() : lists.get(random.nextInt(lists.size())));
            names.add(name(random, notation));
            TreePath path = notation.root();
            try {
                for (String name : names) {
                    path = path.child(name);
                }
            } catch (IllegalArgumentException e) {
                assertThat(areSegments(names, notation))
                        .as("%s can represent the names %s, but reported %s", notation, names, e)
                        .isFalse();
                continue;
            }
            if (areSegments(names, notation)) {
                lists.add(names);
                paths.add(path);
            }
        }
        for (int i = 0; i < paths.size(); i++) {
            TreePath path = paths.get(i);
            List<String> names = lists.get(i);
            assertThat(path.segments()).isEqualTo(names);
            assertThat(notation.path(path.text())).isEqualTo(path);
            assertThat(path.name()).isEqualTo(names.getLast());
            assertThat(path.parent().segments()).isEqualTo(names.subList(0, names.size() - 1));
            assertThat(notation.depthOf(path.text())).isEqualTo(names.size());
            assertThat(notation.ancestorsOf(path.text()))
                    .isEqualTo(
                            path.properAncestors().stream().map(TreePath::text).toList());
            for (int j = 0; j < paths.size(); j++) {
                List<String> others = lists.get(j);
                boolean below = names.size() > others.size()
                        && names.subList(0, others.size()).equals(others);
                assertThat(path.isBelow(paths.get(j)))
                        .as("whether %s is below %s", path, paths.get(j))
                        .isEqualTo(below);
                assertThat(path.equals(paths.get(j))).isEqualTo(names.equals(others));
            }
        }
    }
}
