package org.treerename.checker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.treerename.checker.Trees.model;
import static org.treerename.checker.Trees.paths;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.treerename.checker.TreeModel.Applied;
import org.treerename.path.TreePath;

class TreeModelTest {

    private static final String[] TREE = {
        "/a/", "/a/x", "/a/b/", "/a/b/y", "/ab/", "/ab/z", "/empty/", "/e2/", "/f", "/g"
    };

    @Test
    void renames_a_directory_with_everything_below_it_and_nothing_beside_it() {
        TreeModel model = model(TREE);

        Applied applied = model.apply("/a", "/empty/a", false);

        assertThat(applied).isEqualTo(new Applied.Renamed(4));
        assertThat(paths(model))
                .containsExactly(
                        "/ab",
                        "/ab/z",
                        "/e2",
                        "/empty",
                        "/empty/a",
                        "/empty/a/b",
                        "/empty/a/b/y",
                        "/empty/a/x",
                        "/f",
                        "/g");
        assertThat(model.at("/empty/a/b/y")).contains(Trees.file("id of /a/b/y"));
    }

    @ParameterizedTest
    @CsvSource({
        "a, /x, false, invalid_path",
        "/, /x, false, invalid_path",
        "/a/, /x, false, invalid_path",
        "/a, /x/../y, false, invalid_path",
        "/a, /a/b/c, false, into_itself",
        "/nothing, /nothing/x, false, into_itself",
        "/nothing, /f/x, false, source_not_found",
        "/nothing, /nothing, false, source_not_found",
        "/a, /f/x, false, ancestor_is_a_file",
        "/a, /f/x/y, false, ancestor_is_a_file",
        "/a, /nothing/x, false, destination_parent_not_found",
        "/a, /ab, false, destination_exists",
        "/a, /, true, destination_exists",
        "/f, /ab, true, is_a_directory",
        "/a, /f, true, not_a_directory",
        "/a, /ab, true, destination_not_empty",
        "/a/b, /a, true, destination_not_empty",
    })
    void a_rejected_rename_changes_nothing(String source, String destination, boolean replace, String reason) {
        TreeModel model = model(TREE);

        Applied applied = model.apply(source, destination, replace);

        assertThat(applied)
                .isInstanceOfSatisfying(
                        Applied.Rejected.class,
                        rejected -> assertThat(rejected.rejection().published()).isEqualTo(reason));
        assertThat(model.fingerprint()).isEqualTo(model(TREE).fingerprint());
    }

    @ParameterizedTest
    @CsvSource({"/f, /g", "/empty, /e2", "/a, /empty"})
    void a_file_may_replace_a_file_and_a_directory_an_empty_directory(String source, String destination) {
        TreeModel model = model(TREE);

        Applied applied = model.apply(source, destination, true);

        assertThat(applied).isInstanceOf(Applied.Renamed.class);
        assertThat(model.documents()).isEqualTo(TREE.length - 1);
        model.undo();
        assertThat(paths(model)).isEqualTo(paths(model(TREE)));
    }

    @Test
    void a_rename_to_the_same_path_moves_nothing() {
        TreeModel model = model(TREE);

        assertThat(model.apply("/a", "/a", false)).isEqualTo(new Applied.Renamed(0));
    }

    @Test
    void rejects_a_rename_that_makes_the_path_of_a_descendant_too_long() {
        String deep = "/d".repeat(TreePath.MAX_SEGMENTS);
        TreeModel model = new TreeModel(false);
        model.add(deep, Trees.file("deep"));
        model.add("/other/x", Trees.file("x"));

        assertThat(model.apply("/d", "/other/d", false)).isEqualTo(new Applied.Rejected(Rejection.INVALID_PATH));
        assertThat(model.apply("/d", "/e", false)).isEqualTo(new Applied.Renamed(1));
        assertThat(model.apply("/e", "/" + "e".repeat(TreePath.MAX_CODE_POINTS - 1), false))
                .isEqualTo(new Applied.Rejected(Rejection.INVALID_PATH));
    }

    @Test
    void a_directory_without_a_document_exists_while_a_document_is_below_it() {
        TreeModel model = new TreeModel(false);
        model.add("/a/b/x", Trees.file("x"));
        model.add("/f", Trees.file("f"));

        assertThat(model.apply("/f", "/a/b", false)).isEqualTo(new Applied.Rejected(Rejection.DESTINATION_EXISTS));
        assertThat(model.apply("/a/b", "/new/place", false)).isEqualTo(new Applied.Renamed(1));
        assertThat(model.apply("/f", "/a", false)).isEqualTo(new Applied.Renamed(1));
        assertThat(paths(model)).containsExactly("/a", "/new/place/x");
        assertThat(model.apply("/new", "/a/b", false)).isEqualTo(new Applied.Renamed(1));
        assertThat(paths(model)).containsExactly("/a", "/a/b/place/x");
        model.undo();
        model.undo();
        model.undo();
        assertThat(paths(model)).containsExactly("/a/b/x", "/f");
    }

    @Test
    void a_second_document_at_one_path_is_refused() {
        TreeModel model = model(TREE);

        assertThatThrownBy(() -> model.add("/a/x", Trees.file("another")))
                .hasMessageContaining("/a/x")
                .hasMessageContaining("another");
    }

    @Test
    void separators_in_descendant_paths_count_towards_the_limit() {
        String longest = "/aa/b/" + "n".repeat(TreePath.MAX_CODE_POINTS - "/aa/b/".length());
        TreeModel model = model("/aa/", "/aa/b/", longest);

        assertThat(model.apply("/aa", "/aaa", false)).isEqualTo(new Applied.Rejected(Rejection.INVALID_PATH));
        assertThat(model.apply("/aa", "/ab", false)).isEqualTo(new Applied.Renamed(3));
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void random_renames_match_a_plain_list_of_paths_and_can_be_undone(long seed) {
        Random random = new Random(seed);
        TreeModel model = model(TREE);
        long fingerprint = model.fingerprint();
        int renamed = 0;
        for (int i = 0; i < 300; i++) {
            List<String> paths = paths(model);
            String source = paths.get(random.nextInt(paths.size()));
            String destination = paths.get(random.nextInt(paths.size())) + (random.nextBoolean() ? "/n" + i : "");
            boolean replace = random.nextBoolean();
            if (model.apply(source, destination, replace) instanceof Applied.Renamed) {
                renamed++;
                assertThat(paths(model)).isEqualTo(renamed(paths, source, destination));
                assertThat(model.documents()).isEqualTo(paths(model).size());
            }
        }
        assertThat(renamed).isGreaterThan(20);
        for (; renamed > 0; renamed--) {
            model.undo();
        }
        assertThat(paths(model)).isEqualTo(paths(model(TREE)));
        assertThat(model.fingerprint()).isEqualTo(fingerprint);
    }

    private static List<String> renamed(List<String> paths, String source, String destination) {
        List<String> result = new ArrayList<>();
        for (String path : paths) {
            if (path.equals(source) || path.startsWith(source + "/")) {
                result.add(destination + path.substring(source.length()));
            } else if (!path.equals(destination)) {
                result.add(path);
            }
        }
        return result.stream().sorted().toList();
    }

    @Test
    void the_fingerprint_depends_on_paths_and_documents_and_not_on_the_order_of_renames() {
        TreeModel one = model(TREE);
        TreeModel other = model(TREE);
        one.apply("/a", "/c", false);
        one.apply("/f", "/h", false);
        other.apply("/f", "/h", false);
        assertThat(one.fingerprint()).isNotEqualTo(other.fingerprint());
        other.apply("/a", "/c", false);
        assertThat(one.fingerprint()).isEqualTo(other.fingerprint());
    }
}
