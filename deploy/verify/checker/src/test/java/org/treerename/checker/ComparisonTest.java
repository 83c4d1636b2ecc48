package org.treerename.checker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.treerename.checker.Trees.dump;
import static org.treerename.checker.Trees.model;
import static org.treerename.checker.Trees.stored;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.treerename.checker.Comparison.Kind;

class ComparisonTest {

    private static final String[] TREE = {"/a/", "/a/x", "/a/y"};

    /** Returns the dump of the tree in which the given documents replace the last document. */
    private static TreeDump withLast(TreeDump.StoredDocument... others) {
        List<TreeDump.StoredDocument> stored = new ArrayList<>(dump(TREE).stored());
        stored.removeLast();
        stored.addAll(List.of(others));
        return new TreeDump(Trees.FILES, stored);
    }

    private static void assertDifference(TreeDump dump, Kind kind, String words) {
        Comparison comparison = Comparison.of(model(TREE), dump);

        assertThat(comparison.counts()).isEqualTo(Map.of(kind, 1L));
        assertThat(comparison.first()).containsExactly(words);
        assertThat(comparison.isEqual()).isFalse();
        assertThat(comparison.toString()).contains(words);
    }

    @Test
    void equal_trees_have_no_difference() {
        Comparison comparison = Comparison.of(model(TREE), dump(TREE));

        assertThat(comparison).isEqualTo(new Comparison(3, 3, Map.of(), List.of()));
        assertThat(comparison.isEqual()).isTrue();
        assertThat(comparison).hasToString("documents: 3, each at the expected path and with the expected contents");
    }

    @Test
    void reports_a_missing_document() {
        assertDifference(
                withLast(), Kind.MISSING, "missing: expected the document id of /a/y at /a/y, found it nowhere");
    }

    @Test
    void reports_an_unexpected_document() {
        assertDifference(
                withLast(stored("/a/y"), stored("/a/z")),
                Kind.UNEXPECTED,
                "unexpected: expected no document with the id id of /a/z, found it at /a/z");
    }

    @Test
    void reports_two_documents_at_one_path() {
        Comparison comparison = Comparison.of(model(TREE), withLast(stored(Trees.file("id of /a/y"), "/a/x")));

        assertThat(comparison.first())
                .containsExactly(
                        "doubled: the path /a/x was found twice: in the documents id of /a/x and id of /a/y",
                        "wrong path: expected the document id of /a/y at /a/y, found it at /a/x");
    }

    @Test
    void reports_a_document_id_that_exists_twice() {
        assertDifference(
                withLast(stored("/a/y"), stored("/a/y")),
                Kind.DOUBLED,
                "doubled: the document id of /a/y was found twice, the second time at /a/y");
    }

    @Test
    void reports_a_document_at_a_wrong_path() {
        assertDifference(
                withLast(stored(Trees.file("id of /a/y"), "/b/y")),
                Kind.WRONG_PATH,
                "wrong path: expected the document id of /a/y at /a/y, found it at /b/y");
    }

    @Test
    void reports_a_document_without_a_path() {
        assertDifference(
                withLast(new TreeDump.StoredDocument(Trees.file("id of /a/y"), null, "/a", "y", 0)),
                Kind.WRONG_PATH,
                "wrong path: expected the document id of /a/y at /a/y, found it at null");
    }

    @Test
    void reports_a_wrong_parent_field() {
        assertDifference(
                withLast(new TreeDump.StoredDocument(Trees.file("id of /a/y"), "/a/y", "/old", "y", 0)),
                Kind.WRONG_PARENT,
                "wrong parent: expected parent /a in the document id of /a/y at /a/y, found /old");
    }

    @Test
    void reports_a_wrong_name_field() {
        assertDifference(
                withLast(new TreeDump.StoredDocument(Trees.file("id of /a/y"), "/a/y", "/a", null, 0)),
                Kind.WRONG_NAME,
                "wrong name: expected name y in the document id of /a/y at /a/y, found null");
    }

    @Test
    void reports_changed_contents() {
        assertDifference(
                withLast(stored(new TreeDocument("id of /a/y", false, "another digest", null), "/a/y")),
                Kind.CHANGED_CONTENTS,
                "changed contents: the contents of the document id of /a/y at /a/y have changed");
    }

    @Test
    void reports_a_changed_routing() {
        assertDifference(
                withLast(stored(new TreeDocument("id of /a/y", false, "digest of id of /a/y", "r"), "/a/y")),
                Kind.CHANGED_ROUTING,
                "changed routing: expected the document id of /a/y at /a/y with routing null, found r");
    }

    @Test
    void counts_all_differences_and_describes_only_the_first() {
        TreeModel model = new TreeModel(true);
        for (int i = 0; i < 100; i++) {
            model.add("/f" + i, Trees.file("f" + i));
        }

        Comparison comparison = Comparison.of(model, dump());

        assertThat(comparison.counts()).isEqualTo(Map.of(Kind.MISSING, 100L));
        assertThat(comparison.first()).hasSize(Comparison.MOST_REPORTED);
    }
}
