package org.treerename.elastic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.treerename.namespace.Fields;
import org.treerename.namespace.Fields.Holds;
import org.treerename.namespace.Namespace;
import org.treerename.namespace.Rules;
import org.treerename.path.Notation;
import org.treerename.path.TreePath;
import org.treerename.producer.reader.Child;
import org.treerename.producer.reader.CommittedRename;
import org.treerename.producer.reader.CommittedRename.Replaced;
import org.treerename.producer.reader.ElasticPointsInTime;
import org.treerename.producer.reader.HalfMovedTree;
import org.treerename.producer.reader.Page;
import org.treerename.producer.reader.PointInTime;
import org.treerename.producer.reader.Position;
import org.treerename.producer.reader.Reach;
import org.treerename.producer.reader.SavedView;
import org.treerename.producer.reader.SearchLimits;
import org.treerename.producer.reader.SlowSearchException;
import org.treerename.producer.reader.TreeEntry;
import org.treerename.producer.reader.TreeView;
import org.treerename.producer.reader.TreeViews;
import org.treerename.producer.reader.UnderWay;
import org.treerename.producer.reader.ViewExpiredException;
import org.treerename.runtime.SystemTime;
import org.treerename.store.RefusedException;
import org.treerename.store.Version;
import org.treerename.tree.RawJson;

class ElasticTreeViewIT {

    private static final String LIMITS = "\"max_result_window\": 10000";

    private final String index = "view-" + UUID.randomUUID();
    private final Namespace files = Namespace.ofFiles(index, index);
    private final ElasticPointsInTime points = new ElasticPointsInTime(RealElastic.ELASTIC);
    private final TreeViews views = new TreeViews(
            new ElasticLockStore(RealElastic.CONTROL),
            new ElasticJournal(RealElastic.CONTROL),
            points,
            new SystemTime());
    private int documents;

    private void put(String source) {
        RealElastic.put(index, String.valueOf(documents++), null, source);
    }

    private void putDocuments(String type, String... paths) {
        for (String path : paths) {
            put("{\"path\":\"%s\",\"type\":\"%s\"}".formatted(path, type));
        }
    }

    private List<Child> children(Namespace namespace, String directory, int page) {
        TreePath path = namespace.notation().path(directory);
        try (TreeView view = views.open(namespace, path, new TreeViews.Options(true, false))) {
            List<Child> all = new ArrayList<>();
            Position after = null;
            do {
                Page<Child> next = view.list(path, after, page);
                assertThat(next.items()).hasSizeLessThanOrEqualTo(page);
                all.addAll(next.items());
                after = next.next();
            } while (after != null);
            return all;
        }
    }

    /**
     * Returns a view of the stored documents. The view assumes that the given renames are committed, but have not moved
     * all their documents.
     */
    private TreeView view(Namespace namespace, String path, List<CommittedRename> renames) {
        String point = points.open(namespace, true).id();
        return views.reopen(namespace, new SavedView(namespace.name(), path, point, true, renames));
    }

    private static List<TreeEntry> all(TreeView view, TreePath at, Reach reach, @Nullable RawJson query, int page) {
        List<TreeEntry> all = new ArrayList<>();
        Position after = null;
        do {
            Page<TreeEntry> next = view.find(at, reach, query, after, page);
            all.addAll(next.items());
            after = next.next();
        } while (after != null);
        return all;
    }

    private static CommittedRename rename(String source, String destination, Replaced... replaced) {
        return new CommittedRename(
                "r", new TreePath(source), new TreePath(destination), List.of(replaced), new Version(1, 1));
    }

    @Test
    void refuses_an_index_that_is_not_there() {
        assertThatThrownBy(() -> children(files, "/", 10))
                .isInstanceOf(RefusedException.class)
                .hasMessageContaining("there is no index or alias " + index);
    }

    @Test
    void lists_each_child_once_even_if_other_paths_sort_between_it_and_its_descendants() {
        RealElastic.createTreeIndex(index, LIMITS);
        putDocuments("directory", "/x", "/x/a", "/x/empty", "/x/a/d");
        putDocuments(
                "file",
                "/x/a!",
                "/x/a/1",
                "/x/a/d/2",
                "/x/f",
                "/x/f",
                "/x/implied/deep/er",
                "/x/implied!",
                "/xy",
                "/y/z");

        List<Child> expected = List.of(
                new Child("/x/a", 1, 3, true),
                new Child("/x/a!", 1, 0, false),
                new Child("/x/empty", 1, 0, true),
                new Child("/x/f", 2, 0, false),
                new Child("/x/implied!", 1, 0, false),
                new Child("/x/implied", 0, 1, true));
        for (int most = 1; most <= 7; most++) {
            assertThat(children(files, "/x", most))
                    .as("children in pages of %s", most)
                    .isEqualTo(expected);
        }
        assertThat(children(files, "/", 10))
                .containsExactly(
                        new Child("/x", 1, 10, true), new Child("/xy", 1, 0, false), new Child("/y", 0, 1, true));
        assertThat(children(files, "/x/f", 10)).isEmpty();
        assertThat(children(files, "/nowhere", 10)).isEmpty();
    }

    @Test
    void counts_more_descendants_of_a_child_than_one_read_returns() {
        RealElastic.createTreeIndex(index, LIMITS);
        for (int i = 0; i < 250; i++) {
            putDocuments("file", "/a/" + i, "/b/" + i % 3 + "/" + i);
        }
        putDocuments("file", "/c", "/");

        assertThat(children(files, "/", 2))
                .containsExactly(
                        new Child("/a", 0, 250, true), new Child("/b", 0, 250, true), new Child("/c", 1, 0, false));
        assertThat(children(files, "/a", 100)).hasSize(250);
        assertThat(children(files, "/b", 100)).extracting(Child::path).containsExactly("/b/0", "/b/1", "/b/2");
    }

    @Test
    void segments_may_be_quoted_and_the_root_empty() {
        RealElastic.createTreeIndex(index, LIMITS);
        Namespace terms = new Namespace(
                "terms", index, new Notation(".", false, true), Fields.of("path", null, null), null, Rules.DEFAULT);
        putDocuments("term", "shop", "shop.\\\"orders.v2\\\"", "shop.\\\"orders.v2\\\".id", "shop.plain", "depot.x");

        assertThat(children(terms, "", 10))
                .containsExactly(new Child("depot", 0, 1, true), new Child("shop", 1, 3, true));
        assertThat(children(terms, "shop", 10))
                .containsExactly(new Child("shop.\"orders.v2\"", 1, 1, true), new Child("shop.plain", 1, 0, false));
    }

    @ParameterizedTest(name = "with seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void shows_a_half_moved_tree_as_if_the_renames_had_completed(long seed) {
        HalfMovedTree tree = new HalfMovedTree(seed, index);
        RealElastic.createTreeIndex(index, LIMITS);
        RealElastic.RAW.put("/" + index + "/_mapping", RealElastic.json("""
                {"properties": {"place": {"type": "keyword"}}}"""));
        tree.documents.forEach(document -> RealElastic.put(
                index,
                document.ref().id().replace("\"", "\\\""),
                null,
                document.source().toString()));

        TreePath root = tree.namespace.notation().root();
        List<TreePath> asked = new ArrayList<>(List.of(root, tree.randomPath()));
        tree.renames.forEach(rename -> asked.addAll(List.of(
                rename.source(), rename.destination(), rename.destination().child("a"))));
        TreeView view = view(tree.namespace, root.text(), tree.renames);
        for (TreePath at : asked) {
            for (Reach reach : Reach.values()) {
                Map<String, String> expected = new TreeMap<>(tree.paths);
                expected.values().removeIf(path -> !isIn(tree, path, at, reach));
                Map<String, String> found = new TreeMap<>();
                List<TreeEntry> entries = all(view, at, reach, null, 3);
                entries.forEach(entry -> found.put(entry.id(), entry.path()));

                assertThat(found).as("entries of %s, reach %s", at, reach).isEqualTo(expected);
                assertThat(entries).hasSameSizeAs(found.keySet());
                entries.forEach(entry -> assertThat(entry.source()).isEqualTo(RawJson.of(tree.source(entry.path()))));
                if (reach != Reach.DIRECTLY_BELOW || tree.namespace.fields().holds() == Holds.DIRECTORY) {
                    assertThat(view.count(at, reach, null)).isEqualTo(expected.size());
                }
            }
        }
        view.close();
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

    @Test
    void finds_the_matches_of_a_query_and_maps_every_path_field() {
        RealElastic.createTreeIndex(index, LIMITS);
        Fields fields = new Fields(
                "path", null, Holds.PATH, "parent", "name", "depth", "above", List.of("links"), List.of("url"));
        Namespace all = new Namespace(index, index, Notation.SLASHES, fields, null, Rules.DEFAULT);
        put("""
            {"path": "/a/x/1", "parent": "/a/x", "name": "1", "depth": 3, "above": ["/a", "/a/x"], "size": 1.50,
             "links": ["/a/y", "/b"], "url": "https://host/a/x/1"}""".replace("\n", ""));
        put("{\"path\": \"/a/x/2\", \"size\": 2}");

        TreeView view = view(all, "/c", List.of(rename("/a", "/c/d")));
        List<TreeEntry> found = all(view, new TreePath("/c"), Reach.BELOW, RawJson.of("{\"term\":{\"size\":1.5}}"), 10);

        assertThat(found).hasSize(1);
        assertThat(found.getFirst().path()).isEqualTo("/c/d/x/1");
        assertThat(found.getFirst().index()).isEqualTo(index);
        assertThat(found.getFirst().source()).hasToString("""
            {"path": "/c/d/x/1", "parent": "/c/d/x", "name": "1", "depth": 4, "above": ["/c","/c/d","/c/d/x"], "size": 1.50,\
             "links": ["/c/d/y", "/b"], "url": "https://host/c/d/x/1"}""");
        view.close();
    }

    @Test
    void shows_several_indices_behind_an_alias_without_the_document_that_a_rename_replaces() {
        RealElastic.createTreeIndex(index + "-1", LIMITS);
        RealElastic.createTreeIndex(index + "-2", LIMITS);
        RealElastic.alias(index, index + "-1", index + "-2");
        RealElastic.put(index + "-1", "1", null, "{\"path\":\"/b\",\"type\":\"directory\"}");
        RealElastic.put(index + "-2", "1", null, "{\"path\":\"/a\",\"type\":\"directory\"}");
        RealElastic.put(index + "-1", "2", null, "{\"path\":\"/b/x\"}");
        RealElastic.put(index + "-2", "3", null, "{\"path\":\"/a/y\"}");

        TreeView view = view(files, "/", List.of(rename("/a", "/b", new Replaced(index + "-1", "1"))));

        assertThat(all(view, TreePath.ROOT, Reach.BELOW, null, 1))
                .extracting(entry -> entry.path() + " " + entry.index() + " " + entry.id())
                .containsExactly("/b " + index + "-2 1", "/b/x " + index + "-1 2", "/b/y " + index + "-2 3");
        assertThat(view.list(TreePath.ROOT, null, 10).items()).containsExactly(new Child("/b", 1, 2, true));
        assertThat(view.count(new TreePath("/a"), Reach.AT_OR_BELOW, null)).isZero();
        view.close();
    }

    @Test
    void shows_a_replaced_document_at_the_path_to_which_another_client_has_moved_it() {
        RealElastic.createTreeIndex(index, LIMITS);
        RealElastic.put(index, "1", null, "{\"path\":\"/c\"}");
        RealElastic.put(index, "2", null, "{\"path\":\"/a\"}");

        TreeView view = view(files, "/", List.of(rename("/a", "/b", new Replaced(index, "1"))));

        assertThat(all(view, TreePath.ROOT, Reach.BELOW, null, 1))
                .extracting(TreeEntry::path)
                .containsExactly("/b", "/c");
        assertThat(view.list(TreePath.ROOT, null, 10).items())
                .containsExactly(new Child("/b", 1, 0, false), new Child("/c", 1, 0, false));
        view.close();
    }

    @Test
    void the_point_in_time_of_another_index_shows_nothing() {
        RealElastic.createTreeIndex(index, LIMITS);
        putDocuments("file", "/a");
        RealElastic.createTreeIndex(index + "-other", LIMITS);
        RealElastic.put(index + "-other", "1", null, "{\"path\":\"/secret\"}");

        PointInTime other = points.open(Namespace.ofFiles("other", index + "-other"), true);
        TreeView view = views.reopen(files, new SavedView(index, "/", other.id(), true, List.of()));

        assertThat(view.find(TreePath.ROOT, Reach.BELOW, null, null, 10).items())
                .isEmpty();
        view.close();
    }

    @Test
    void reports_a_view_that_elasticsearch_has_closed() {
        RealElastic.createTreeIndex(index, LIMITS);
        putDocuments("file", "/a");
        TreeView view = view(files, "/", List.of());
        view.close();

        assertThatThrownBy(() -> view.count(TreePath.ROOT, Reach.BELOW, null))
                .isInstanceOf(ViewExpiredException.class)
                .hasMessageContaining("request the first page again");
    }

    @Test
    void refuses_an_invalid_query() {
        RealElastic.createTreeIndex(index, LIMITS);
        putDocuments("file", "/a");
        TreeView view = view(files, "/", List.of());

        assertThatThrownBy(() -> view.count(TreePath.ROOT, Reach.BELOW, RawJson.of("{\"nonsense\":{}}")))
                .isInstanceOf(RefusedException.class);
        view.close();
    }

    @Test
    void shows_a_rename_from_its_commit_on_and_opens_a_new_view_if_a_rename_began_and_ended_meanwhile() {
        RealElastic.createTreeIndex(index, LIMITS);
        putDocuments("file", "/a/1");
        UnderWay renames = new UnderWay(
                files, new ElasticLockStore(RealElastic.CONTROL), new ElasticJournal(RealElastic.CONTROL), points);

        renames.prepare(index + "1", "/a", "/b");
        List<String> prepared = paths(renames);
        renames.commit(index + "1");
        List<String> committed = paths(renames);
        renames.then.put("open 3", () -> {
            renames.finish(index + "1");
            renames.prepare(index + "2", "/b", "/c");
            renames.commit(index + "2");
            renames.finish(index + "2");
        });
        List<String> after = paths(renames);

        assertThat(prepared).containsExactly("/a/1");
        assertThat(committed).containsExactly("/b/1");
        assertThat(after).as("paths, because no document has moved").containsExactly("/a/1");
        assertThat(renames.opened).hasSize(4);
    }

    private static List<String> paths(UnderWay renames) {
        try (TreeView view =
                renames.views().open(renames.namespace, TreePath.ROOT, new TreeViews.Options(true, false))) {
            return all(view, TreePath.ROOT, Reach.BELOW, null, 10).stream()
                    .map(TreeEntry::path)
                    .toList();
        }
    }

    @Test
    void answers_single_searches_without_a_point_in_time() {
        RealElastic.createTreeIndex(index, LIMITS);
        putDocuments("file", "/a/1", "/a/2", "/b/1");
        UnderWay renames = new UnderWay(
                files, new ElasticLockStore(RealElastic.CONTROL), new ElasticJournal(RealElastic.CONTROL), points);

        assertThat(found(renames, "/a")).containsExactly("/a/1", "/a/2");
        renames.prepare(index + "1", "/a", "/b/a");
        renames.commit(index + "1");
        assertThat(count(renames, "/b")).isEqualTo(3);
        assertThat(found(renames, "/a")).isEmpty();
        assertThat(renames.opened).isEmpty();
        assertThat(found(renames, "/b")).as("answer of two searches").containsExactly("/b/1", "/b/a/1", "/b/a/2");
        assertThat(renames.opened).hasSize(1);
        renames.then.put("search", () -> put("{\"path\":\"/b/a/3\"}"));
        assertThat(count(renames, "/b"))
                .as("count after a refresh before the search")
                .isEqualTo(4);
    }

    private static List<String> found(UnderWay renames, String path) {
        return renames
                .views()
                .answer(
                        renames.namespace,
                        new TreePath(path),
                        new TreeViews.Options(true, false),
                        view -> view.find(new TreePath(path), Reach.BELOW, null, null, 10)
                                .items())
                .stream()
                .map(TreeEntry::path)
                .toList();
    }

    private static long count(UnderWay renames, String path) {
        return renames.views()
                .answer(
                        renames.namespace,
                        new TreePath(path),
                        new TreeViews.Options(true, false),
                        view -> view.count(new TreePath(path), Reach.AT_OR_BELOW, null));
    }

    @ParameterizedTest
    @ValueSource(strings = {"{", "", "1", "[]", "[\"/a\"]", "[\"/a\",\"x\"]", "[{},1]", "[\"/a\",1,2]", "[\"/a\",1.5]"})
    void refuses_a_position_that_no_page_has_returned(String position) {
        RealElastic.createTreeIndex(index, LIMITS);
        putDocuments("file", "/a", "/b");

        try (TreeView view = view(files, "/", List.of())) {
            Position after = new Position(1, List.of(new Position.At(0, position)), null, 0);
            assertThatThrownBy(() -> view.find(TreePath.ROOT, Reach.BELOW, null, after, 10))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("request the first page again");
        }
    }

    private TreeView limited(SearchLimits limits) {
        TreeViews limitedViews = new TreeViews(
                new ElasticLockStore(RealElastic.CONTROL),
                new ElasticJournal(RealElastic.CONTROL),
                new ElasticPointsInTime(RealElastic.ELASTIC, limits),
                new SystemTime());
        return limitedViews.open(files, TreePath.ROOT, new TreeViews.Options(true, false));
    }

    @Test
    void elasticsearch_stops_a_search_after_the_longest_time() {
        RealElastic.createTreeIndex(index, LIMITS);
        putDocuments(
                "file",
                IntStream.range(0, 300).mapToObj(i -> "/" + i + "a".repeat(300)).toArray(String[]::new));
        String wildcards = IntStream.range(0, 400)
                .mapToObj(i -> "{\"wildcard\":{\"path\":\"*" + "a*".repeat(30) + i + "*\"}}")
                .collect(Collectors.joining(","));
        RawJson query = RawJson.of("{\"bool\":{\"should\":[" + wildcards + "]}}");

        try (TreeView view = limited(new SearchLimits(Duration.ofMillis(1), bytes -> {}))) {
            assertThatThrownBy(() -> view.find(TreePath.ROOT, Reach.BELOW, query, null, 10))
                    .isInstanceOf(SlowSearchException.class)
                    .hasMessageContaining("took longer than 1 ms");
        }
        try (TreeView view = limited(new SearchLimits(Duration.ofMinutes(1), bytes -> {}))) {
            assertThat(view.find(TreePath.ROOT, Reach.BELOW, query, null, 10).items())
                    .isEmpty();
        }
    }

    @Test
    void counts_the_bytes_of_an_answer_and_ends_a_search_whose_answer_is_refused() {
        RealElastic.createTreeIndex(index, LIMITS);
        put("{\"path\":\"/a\",\"text\":\"" + "x".repeat(1_000_000) + "\"}");
        AtomicLong counted = new AtomicLong();
        IllegalStateException refusal = new IllegalStateException("enough");

        try (TreeView view = limited(new SearchLimits(Duration.ofMinutes(1), counted::addAndGet))) {
            assertThat(view.find(TreePath.ROOT, Reach.BELOW, null, null, 10).items())
                    .hasSize(1);
        }
        assertThat(counted.get()).isBetween(1_000_000L, 1_010_000L);
        counted.set(0);
        for (int i = 0; i < 30; i++) {
            put("{\"path\":\"/b/" + i + "\",\"text\":\"" + "x".repeat(1_000_000) + "\"}");
        }
        try (TreeView view = limited(new SearchLimits(Duration.ofMinutes(1), counted::addAndGet))) {
            assertThat(view.find(new TreePath("/b"), Reach.BELOW, null, null, 30)
                            .items())
                    .hasSize(30);
        }
        assertThat(counted.get()).as("only the bytes that are kept").isBetween(30_000_000L, 30_100_000L);
        try (TreeView view = limited(new SearchLimits(Duration.ofMinutes(1), bytes -> {
            throw refusal;
        }))) {
            assertThatThrownBy(() -> view.find(TreePath.ROOT, Reach.BELOW, null, null, 10))
                    .isSameAs(refusal);
        }
    }
}
