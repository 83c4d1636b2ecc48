package org.treerename.producer.reader;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.treerename.namespace.Fields.Holds;
import org.treerename.namespace.Namespace;
import org.treerename.path.Notation;
import org.treerename.path.TreePath;
import org.treerename.store.Version;
import org.treerename.tree.Document;
import org.treerename.tree.RawJson;

final class TreeViewTest {

    private static final Comparator<String> UTF_8 = (one, other) ->
            Arrays.compareUnsigned(one.getBytes(StandardCharsets.UTF_8), other.getBytes(StandardCharsets.UTF_8));

    static LongStream seeds() {
        return LongStream.range(0, 500);
    }

    private static TreeView view(HalfMovedTree tree, TreePath path, int batch) {
        return new TreeView(
                tree.namespace,
                path,
                new Overlay(tree.namespace.notation(), tree.renames),
                new InMemoryPointInTime(tree.namespace, tree.documents, batch),
                true);
    }

    @Test
    void reads_further_documents_in_the_size_of_a_batch_that_was_not_too_large() {
        List<Document> documents = IntStream.range(0, 20)
                .mapToObj(i -> new Document(
                        new Document.Ref("files", "d" + i, null, new Version(1, 1)), "/" + i, RawJson.of("{}")))
                .toList();
        InMemoryPointInTime points = new InMemoryPointInTime(Namespace.ofFiles("files", "files"), documents, 3);
        try (TreeView view = new TreeView(
                Namespace.ofFiles("files", "files"),
                TreePath.ROOT,
                new Overlay(Notation.SLASHES, List.of()),
                points,
                true)) {
            assertThat(view.find(TreePath.ROOT, Reach.BELOW, null, null, 20).items())
                    .hasSize(20);
        }
        assertThat(points.requested).startsWith(21, 3, 3);
    }

    private static boolean isIn(HalfMovedTree tree, String path, TreePath at, Reach reach) {
        boolean isAt = path.equals(at.text());
        boolean isBelow = !isAt && path.startsWith(at.prefixOfBelow());
        return switch (reach) {
            case EXACTLY -> isAt;
            case BELOW -> isBelow;
            case AT_OR_BELOW -> isAt || isBelow;
            case DIRECTLY_BELOW ->
                isBelow && tree.namespace.notation().parentOf(path).equals(at.text());
        };
    }

    private static List<TreePath> searchedPaths(HalfMovedTree tree) {
        List<TreePath> searchedPaths = new ArrayList<>();
        searchedPaths.add(tree.namespace.notation().root());
        for (int i = 0; i < 6; i++) {
            searchedPaths.add(tree.randomPath());
        }
        tree.renames.forEach(rename -> {
            searchedPaths.add(rename.source());
            searchedPaths.add(rename.destination());
            searchedPaths.add(rename.destination().child("a"));
            searchedPaths.add(rename.destination().parent());
        });
        return searchedPaths;
    }

    private static List<TreeEntry> all(TreeView view, TreePath at, Reach reach, @Nullable RawJson query, int page) {
        List<TreeEntry> all = new ArrayList<>();
        Position next = null;
        do {
            Page<TreeEntry> found = view.find(at, reach, query, next, page);
            assertThat(found.items()).hasSizeLessThanOrEqualTo(page);
            all.addAll(found.items());
            next = found.next();
        } while (next != null);
        return all;
    }

    @ParameterizedTest(name = "with seed {0}")
    @MethodSource("seeds")
    void finds_each_document_once_at_its_path_after_the_renames(long seed) {
        HalfMovedTree tree = new HalfMovedTree(seed);
        for (TreePath at : searchedPaths(tree)) {
            for (Reach reach : Reach.values()) {
                Map<String, String> expected = new TreeMap<>(tree.paths);
                expected.values().removeIf(path -> !isIn(tree, path, at, reach));

                List<TreeEntry> found = all(view(tree, at, 3), at, reach, null, 1 + (int) (seed % 5));

                assertThat(found).as("entries of %s, reach %s", at, reach).hasSameSizeAs(expected.keySet());
                found.forEach(entry ->
                        assertThat(entry.path()).as("path of %s", entry.id()).isEqualTo(expected.get(entry.id())));
                assertThat(found).isSortedAccordingTo(order(tree));
                found.forEach(entry -> assertThat(entry.source()).isEqualTo(RawJson.of(tree.source(entry.path()))));
            }
        }
    }

    private static Comparator<TreeEntry> order(HalfMovedTree tree) {
        Notation notation = tree.namespace.notation();
        return tree.namespace.fields().holds() == Holds.PATH
                ? Comparator.comparing(TreeEntry::path, UTF_8)
                : Comparator.comparing((TreeEntry entry) -> notation.parentOf(entry.path()), UTF_8)
                        .thenComparing(entry -> notation.nameOf(entry.path()), UTF_8);
    }

    @ParameterizedTest(name = "with seed {0}")
    @MethodSource("seeds")
    void counts_and_finds_the_matches_of_a_query(long seed) {
        HalfMovedTree tree = new HalfMovedTree(seed);
        RawJson query = RawJson.of("at " + tree.randomPath());
        for (TreePath at : searchedPaths(tree)) {
            Collection<String> expected = new ArrayList<>();
            tree.paths.forEach((id, path) -> {
                if (id.startsWith(query.toString()) && isIn(tree, path, at, Reach.AT_OR_BELOW)) {
                    expected.add(id);
                }
            });

            assertThat(view(tree, at, 2).count(at, Reach.AT_OR_BELOW, query)).isEqualTo(expected.size());
            assertThat(all(view(tree, at, 2), at, Reach.AT_OR_BELOW, query, 2))
                    .extracting(TreeEntry::id)
                    .containsExactlyInAnyOrderElementsOf(expected);
        }
    }

    @ParameterizedTest(name = "with seed {0}")
    @MethodSource("seeds")
    void lists_each_child_once_with_the_number_of_documents_at_it_and_below_it(long seed) {
        HalfMovedTree tree = new HalfMovedTree(seed);
        for (TreePath directory : searchedPaths(tree)) {
            List<Child> listed = new ArrayList<>();
            Position next = null;
            do {
                Page<Child> page = view(tree, directory, 3).list(directory, next, 1 + (int) (seed % 4));
                listed.addAll(page.items());
                next = page.next();
            } while (next != null);

            assertThat(listed)
                    .as("children of %s", directory)
                    .containsExactlyInAnyOrderElementsOf(children(tree, directory));
        }
    }

    private static List<Child> children(HalfMovedTree tree, TreePath directory) {
        Notation notation = tree.namespace.notation();
        SortedSet<String> children = new TreeSet<>();
        tree.paths.values().stream()
                .filter(path -> isIn(tree, path, directory, Reach.BELOW))
                .map(path -> notation.firstOf(path, notation.depthOf(directory.text()) + 1))
                .forEach(children::add);
        return children.stream()
                .map(child -> {
                    long at = tree.paths.values().stream().filter(child::equals).count();
                    long below = tree.paths.values().stream()
                            .filter(path -> path.startsWith(child + notation.separator()))
                            .count();
                    return new Child(child, at, below, below > 0);
                })
                .toList();
    }

    @Test
    void refuses_a_search_outside_of_its_path() {
        HalfMovedTree tree = new HalfMovedTree(1);
        TreePath root = tree.namespace.notation().root();
        TreeView view = view(tree, root.child("a"), 1);

        assertThatThrownBy(() -> view.find(root, Reach.BELOW, null, null, 10))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("expected a path at or below " + root.child("a"));
        assertThatThrownBy(() -> view.list(root.child("a"), null, 1_001)).hasMessageContaining("found 1001");
    }
}
