package org.treerename.tree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.tuple;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.treerename.namespace.Fields;
import org.treerename.namespace.Granularity;
import org.treerename.namespace.Namespace;
import org.treerename.namespace.Rules;
import org.treerename.namespace.VersionOwner;
import org.treerename.path.Notation;
import org.treerename.path.TreePath;
import org.treerename.request.OnExisting;
import org.treerename.tree.TreeSnapshot.Existing;
import org.treerename.tree.TreeSnapshot.Longest;
import org.treerename.tree.TreeStore.Move;
import org.treerename.tree.TreeStore.Reach;
import org.treerename.tree.TreeStore.Removal;
import org.treerename.tree.TreeStore.Scan;
import org.treerename.tree.TreeStore.Written;

/** The tests that every {@link TreeStore} must pass. The tested store returns pages of {@link #PAGE} documents. */
public abstract class TreeStoreContract {

    protected static final int PAGE = 3;

    /**
     * The name of an index with the path fields of {@link Namespace#ofFiles}. New fields of documents do not change the
     * mapping of this index.
     */
    protected final String index = "tree-" + UUID.randomUUID();

    protected final Namespace files = Namespace.ofFiles("files", index);

    /** A namespace in which directories are not documents. */
    protected final Namespace plain = new Namespace("plain", index, "path", "parent", "name", null);

    protected abstract TreeStore tree();

    /** Creates an index with the same mapping as {@link #index}. */
    protected abstract void createIndex(String name);

    protected abstract void alias(String alias, String... indices);

    /** Writes a document without a lock. */
    protected abstract void put(String into, String id, @Nullable String routing, String source);

    /**
     * Writes a document with a version that another system sets. The document must not exist yet, or must have a lower
     * version.
     */
    protected abstract void put(String into, String id, String source, long version);

    /** Returns the source of a document, byte for byte. */
    protected abstract String source(String from, String id, @Nullable String routing);

    private void put(String id, String source) {
        put(index, id, null, source);
    }

    private void putFile(String id, String path) {
        put(id, file(path));
    }

    private void putDirectory(String id, String path) {
        put(id, file(path).replace("file", "directory"));
    }

    private static String file(String path) {
        TreePath at = new TreePath(path);
        return "{\"path\":\"" + at + "\",\"parent\":\"" + at.parent() + "\",\"name\":\"" + at.name()
                + "\",\"type\":\"file\"}";
    }

    private Rename rename(Namespace namespace, String source, String destination) {
        return new Rename("r1", namespace, new TreePath(source), new TreePath(destination), OnExisting.FAIL);
    }

    private List<List<Document>> pages(Namespace namespace, String path, Reach reach) {
        List<List<Document>> pages = new ArrayList<>();
        try (Scan scan = tree().scan(namespace, new TreePath(path), reach)) {
            for (List<Document> page = scan.nextPage(); !page.isEmpty(); page = scan.nextPage()) {
                pages.add(page);
            }
            assertThat(scan.nextPage()).isEmpty();
        }
        return pages;
    }

    private List<Document> scan(Namespace namespace, String path, Reach reach) {
        return pages(namespace, path, reach).stream().flatMap(List::stream).toList();
    }

    private static Set<String> ids(List<Document> documents) {
        Set<String> ids = new TreeSet<>();
        documents.forEach(document -> ids.add(document.ref().id()));
        return ids;
    }

    private Document only(String path) {
        return scan(files, path, Reach.AT).getFirst();
    }

    private Set<String> existing(TreeSnapshot snapshot) {
        Set<String> found = new TreeSet<>();
        for (Existing existing : snapshot.existing()) {
            found.add(existing.ref().id() + " " + existing.path() + (existing.directory() ? " directory" : ""));
        }
        return found;
    }

    private static Namespace other(String index, Notation notation, Fields fields) {
        return new Namespace("other", index, notation, fields, null, Rules.DEFAULT);
    }

    private Rename rename(Namespace namespace, TreePath source, TreePath destination) {
        return new Rename("r1", namespace, source, destination, OnExisting.FAIL);
    }

    private Set<String> idsBelow(Namespace namespace, TreePath path) {
        try (Scan scan = tree().scan(namespace, path, Reach.AT_OR_BELOW)) {
            Set<String> ids = new TreeSet<>();
            for (List<Document> page = scan.nextPage(); !page.isEmpty(); page = scan.nextPage()) {
                ids.addAll(ids(page));
            }
            return ids;
        }
    }

    @Test
    void distinguishes_paths_with_dots_and_quotes_from_similar_paths() {
        createIndex(index);
        Notation dots = new Notation(".", false, true);
        Namespace terms = other(index, dots, Fields.of("path", "parent", "name"));
        List<String> paths =
                List.of("a", "a.b", "a.\\\"b.c\\\"", "a.b.c", "ab", "A.b", "a/b", "\\\"a.b\\\".c", "a-.b", "a .b");
        for (int i = 0; i < paths.size(); i++) {
            put(String.valueOf(i), "{\"path\":\"" + paths.get(i) + "\",\"parent\":\"\",\"name\":\"\"}");
        }

        assertThat(idsBelow(terms, dots.path("a"))).containsExactly("0", "1", "2", "3");
        assertThat(idsBelow(terms, dots.path("a.b"))).containsExactly("1", "3");
        assertThat(idsBelow(terms, dots.path("\"a.b\""))).containsExactly("7");
        TreeSnapshot snapshot = tree().examine(rename(terms, dots.path("a"), dots.path("\"x.y\".z")));
        assertThat(snapshot.below()).isEqualTo(3);
        assertThat(snapshot.longest()).isEqualTo(new Longest(7, 3));
        assertThat(snapshot.at(dots.path("a"))).hasSize(1);

        Rename rename = rename(terms, dots.path("a.\"b.c\""), dots.path("x.\"say \"\"hi\"\"\""));
        try (Scan scan = tree().scan(terms, rename.source(), Reach.AT_OR_BELOW)) {
            assertThat(tree().move(terms, List.of(rename.move(scan.nextPage().getFirst()))))
                    .containsExactly(new Written.Done());
        }
        assertThat(source(index, "2", null))
                .isEqualTo(
                        "{\"path\":\"x.\\\"say \\\"\\\"hi\\\"\\\"\\\"\",\"parent\":\"x\",\"name\":\"say \\\"hi\\\"\"}");
    }

    @Test
    void a_document_with_directory_and_name_has_the_path_of_both() {
        createIndex(index);
        Namespace guide = other(
                index,
                Notation.SLASHES,
                new Fields("parent", Fields.Holds.DIRECTORY, null, "name", null, null, List.of()));
        put("1", "{\"parent\":\"/clinton/projects/elasticsearch\",\"name\":\"README.txt\"}");
        put("2", "{\"parent\":\"/clinton/projects\",\"name\":\"elasticsearch\"}");
        put("3", "{\"parent\":\"/clinton/projects\",\"name\":\"elasticsearch2\"}");
        put("4", "{\"parent\":\"/clinton/projects/elasticsearch2\",\"name\":\"README.txt\"}");
        put("5", "{\"parent\":\"/\",\"name\":\"clinton\"}");
        put("6", "{\"parent\":\"/clinton\",\"name\":\"README.txt\"}");
        TreePath projects = new TreePath("/clinton/projects/elasticsearch");

        assertThat(idsBelow(guide, projects)).containsExactly("1", "2");
        assertThat(idsBelow(guide, new TreePath("/clinton"))).containsExactly("1", "2", "3", "4", "5", "6");
        assertThat(idsBelow(guide, new TreePath("/clinton/projects/elasticsearch/README.txt")))
                .containsExactly("1");
        Rename rename = rename(guide, projects, new TreePath("/clinton/README.txt/a/b/c/d/e/elasticsearch"));
        TreeSnapshot snapshot = tree().examine(rename);
        assertThat(snapshot.below()).isEqualTo(1);
        assertThat(snapshot.destinationIsFilled()).isFalse();
        assertThat(snapshot.at(projects)).hasSize(1);
        assertThat(snapshot.at(new TreePath("/clinton/README.txt"))).hasSize(1);
        assertThat(snapshot.at(new TreePath("/clinton"))).hasSize(1);
        assertThat(snapshot.longest()).isEqualTo(new Longest(42, 4));
        try (Scan scan = tree().scan(guide, new TreePath(projects + "/README.txt"), Reach.AT)) {
            Document readme = scan.nextPage().getFirst();
            assertThat(readme.path()).isEqualTo(projects + "/README.txt");
            assertThat(tree().move(guide, List.of(rename.move(readme)))).containsExactly(new Written.Done());
            assertThat(tree().read(guide, readme.ref()).map(Document::path))
                    .contains("/clinton/README.txt/a/b/c/d/e/elasticsearch/README.txt");
        }
        assertThat(source(index, "1", null))
                .isEqualTo("{\"parent\":\"/clinton/README.txt/a/b/c/d/e/elasticsearch\",\"name\":\"README.txt\"}");
    }

    @Test
    void a_scan_finds_exactly_the_documents_that_were_written_before_it_began() {
        createIndex(index);
        putFile("1", "/a/x");
        try (Scan scan = tree().scan(files, new TreePath("/a"), Reach.AT_OR_BELOW)) {
            putFile("2", "/a/y");

            assertThat(ids(scan.nextPage())).containsExactly("1");
            assertThat(scan.nextPage()).isEmpty();
        }
        assertThat(ids(scan(files, "/a", Reach.AT_OR_BELOW))).containsExactly("1", "2");
    }

    @Test
    void a_scan_finds_documents_at_or_below_the_path_and_no_sibling_with_the_same_prefix() {
        createIndex(index);
        putDirectory("1", "/a");
        putFile("2", "/a/x");
        putFile("3", "/a/x/y");
        putFile("4", "/ab");
        putFile("5", "/ab/x");
        putFile("6", "/b/a");

        assertThat(ids(scan(files, "/a", Reach.AT_OR_BELOW))).containsExactly("1", "2", "3");
        assertThat(ids(scan(files, "/a", Reach.AT))).containsExactly("1");
        assertThat(ids(scan(files, "/a/x/y", Reach.AT_OR_BELOW))).containsExactly("3");
        assertThat(ids(scan(files, "/c", Reach.AT_OR_BELOW))).isEmpty();
    }

    @Test
    void wildcards_and_quotes_in_a_path_have_no_special_meaning() {
        createIndex(index);
        putFile("1", "/a*/x");
        putFile("2", "/ab/x");
        put("3", "{\"path\":\"/q\\\"\\\\\\n\uD83D\uDE00/x\"}");

        assertThat(ids(scan(files, "/a*", Reach.AT_OR_BELOW))).containsExactly("1");
        assertThat(ids(scan(files, "/q\"\\\n\uD83D\uDE00", Reach.AT_OR_BELOW))).containsExactly("3");
    }

    @Test
    void finds_and_moves_the_longest_paths() {
        createIndex(index);
        String longest = "/a/" + "\uD83D\uDE00".repeat(TreePath.MAX_CODE_POINTS - 5) + "/x";
        putFile("1", longest);
        TreePath parent = new TreePath(longest).parent();

        assertThat(ids(scan(files, parent.text(), Reach.AT_OR_BELOW))).containsExactly("1");
        assertThat(tree().examine(rename(files, parent.text(), "/b")).below()).isEqualTo(1);
        assertThat(tree().move(files, List.of(new Move(only(longest), longest.replace("/a/", "/b/")))))
                .containsExactly(new Written.Done());
    }

    @Test
    void a_scan_returns_each_document_once_page_by_page() {
        createIndex(index);
        for (int i = 0; i < 8; i++) {
            putFile("d" + i, "/a/" + i);
        }

        List<List<Document>> pages = pages(files, "/a", Reach.AT_OR_BELOW);

        // a scan may read several slices in parallel, so each document may be on any page
        assertThat(pages).allSatisfy(page -> assertThat(page).hasSizeLessThanOrEqualTo(PAGE));
        assertThat(ids(pages.stream().flatMap(List::stream).toList()))
                .containsExactly("d0", "d1", "d2", "d3", "d4", "d5", "d6", "d7");
    }

    @Test
    void a_scan_returns_the_path_the_routing_and_every_byte_of_a_document() {
        createIndex(index);
        String source = "{ \"path\" : \"/a\\u002fx\" ,\n \"n\" : [1.10, 12345678901234567890123456789012345678901] }";
        put(index, "1", "route", source);

        Document found = only("/a/x");

        assertThat(found.path()).isEqualTo("/a/x");
        assertThat(found.source()).isEqualTo(RawJson.of(source));
        assertThat(found.ref()).returns(index, Document.Ref::index).returns("route", Document.Ref::routing);
    }

    @Test
    void a_move_keeps_every_other_byte() {
        createIndex(index);
        String before = "{ \"zero\":null, \"path\" : \"/a/x\",\n\r\t\"size\":1.10,\"big\":"
                + "1234567890123456789012345678901234567890,\"date\":\"2026-03-01T10:00:00+01:00\",\"neg\":-0.0,"
                + "\"exp\":1E+2,\"parent\":\"/a\",\"acl\":{\"path\":\"/a/x\",\"who\":[\"\\u00e9\",\"é\",[],{}]},"
                + "\"text\":\"a\\nb\\/c\\ud83d\\ude00\",\"name\":\"x\",\"type\":\"file\",\"unknown\":{\"a.b\":[null,true]} }";
        put("1", before);

        List<Written> written = tree().move(files, List.of(new Move(only("/a/x"), "/b/c/\"y\"")));

        assertThat(written).containsExactly(new Written.Done());
        assertThat(source(index, "1", null))
                .isEqualTo(before.replace("\"path\" : \"/a/x\"", "\"path\" : \"/b/c/\\\"y\\\"\"")
                        .replace("\"parent\":\"/a\"", "\"parent\":\"/b/c\"")
                        .replace("\"name\":\"x\"", "\"name\":\"\\\"y\\\"\"")
                        .replace('\n', ' ')
                        .replace('\r', ' '));
    }

    @ParameterizedTest(name = "with seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void a_move_there_and_back_restores_the_same_bytes(long seed) {
        createIndex(index);
        String before = new RandomJson(seed).document(Map.of("path", "/a/x", "parent", "/a", "name", "x"));
        put("1", before);

        tree().move(files, List.of(new Move(only("/a/x"), "/somewhere/else")));
        List<Written> back = tree().move(files, List.of(new Move(only("/somewhere/else"), "/a/x")));

        assertThat(back).containsExactly(new Written.Done());
        assertThat(source(index, "1", null)).isEqualTo(before);
    }

    @Test
    void a_move_keeps_the_routing() {
        createIndex(index);
        put(index, "1", "route", file("/a/x"));

        tree().move(files, List.of(new Move(only("/a/x"), "/b/x")));

        assertThat(source(index, "1", "route")).isEqualTo(file("/b/x"));
        assertThat(only("/b/x").ref().routing()).isEqualTo("route");
        assertThat(scan(files, "/a", Reach.AT_OR_BELOW)).isEmpty();
    }

    @Test
    void does_not_move_a_document_that_has_changed_since_the_read() {
        createIndex(index);
        putFile("1", "/a/x");
        Document seen = only("/a/x");
        String edited = "{\"path\":\"/a/x\",\"text\":\"edited\"}";
        put("1", edited);

        List<Written> written = tree().move(files, List.of(new Move(seen, "/b/x")));

        assertThat(written).singleElement().isInstanceOf(Written.Unknown.class);
        assertThat(source(index, "1", null)).isEqualTo(edited);
    }

    @Test
    void a_move_does_not_create_a_deleted_document_again() {
        createIndex(index);
        putFile("1", "/a/x");
        Document seen = only("/a/x");
        tree().remove(List.of(new Removal(seen.ref())));

        List<Written> written = tree().move(files, List.of(new Move(seen, "/b/x")));

        assertThat(written).singleElement().isInstanceOf(Written.Unknown.class);
        assertThat(tree().read(files, seen.ref())).isEmpty();
    }

    @Test
    void returns_the_results_of_a_page_in_the_order_of_its_moves() {
        createIndex(index);
        putFile("1", "/a/1");
        put("2", "{\"path\":[\"/a/2\",\"/q\"],\"parent\":\"/a\",\"name\":\"2\"}");
        putFile("3", "/a/3");
        putFile("4", "/a/4");
        List<Document> seen = List.of(only("/a/1"), only("/a/2"), only("/a/3"), only("/a/4"));
        putFile("3", "/a/3");

        List<Written> written = tree().move(
                        files,
                        seen.stream()
                                .map(d -> new Move(d, "/b/" + d.ref().id()))
                                .toList());

        assertThat(written)
                .<Class<?>>extracting(Object::getClass)
                .containsExactly(Written.Done.class, Written.Refused.class, Written.Unknown.class, Written.Done.class);
    }

    @Test
    void writes_documents_behind_an_alias_into_their_own_index() {
        String one = index + "-1";
        String other = index + "-2";
        createIndex(one);
        createIndex(other);
        alias(index, one, other);
        put(one, "1", null, file("/a/x"));
        put(other, "1", null, file("/a/y"));

        List<Document> seen = scan(files, "/a", Reach.AT_OR_BELOW);
        List<Written> written = tree().move(
                        files,
                        seen.stream()
                                .map(d -> new Move(d, d.path().replace("/a", "/b")))
                                .toList());

        assertThat(written).containsExactly(new Written.Done(), new Written.Done());
        assertThat(source(one, "1", null)).isEqualTo(file("/b/x"));
        assertThat(source(other, "1", null)).isEqualTo(file("/b/y"));
        assertThat(tree().indices(files)).containsOnlyKeys(one, other);
    }

    @Test
    void names_the_indices_that_were_read_behind_an_alias() {
        String one = index + "-1";
        String other = index + "-2";
        createIndex(one);
        createIndex(other);
        alias(index, one, other);
        put(other, "1", null, file("/a/x"));

        TreeSnapshot snapshot = tree().examine(rename(files, "/a", "/b"));

        assertThat(snapshot.indices()).containsExactlyInAnyOrder(one, other);
        assertThat(snapshot.below()).isOne();
    }

    @Test
    void each_concrete_index_has_a_uuid_that_does_not_change() {
        createIndex(index);

        assertThat(tree().indices(files))
                .containsOnlyKeys(index)
                .doesNotContainValue("")
                .isEqualTo(tree().indices(files));
    }

    @Test
    void reads_a_single_document_in_real_time_with_its_routing() {
        createIndex(index);
        put(index, "1", "route", file("/a/x"));
        Document.Ref seen = only("/a/x").ref();
        put(index, "1", "route", file("/a/y"));

        assertThat(tree().read(files, seen).orElseThrow())
                .returns("/a/y", Document::path)
                .returns(RawJson.of(file("/a/y")), Document::source)
                .satisfies(now -> assertThat(now.ref().version()).isNotEqualTo(seen.version()))
                .satisfies(now -> assertThat(now.ref().routing()).isEqualTo("route"));
    }

    @Test
    void reads_every_byte_of_a_single_document() {
        createIndex(index);
        String source = "{ \"path\":\"/a\\u002fx\", \"size\":1.10 }";
        put("1", source);

        assertThat(tree().read(files, only("/a/x").ref()).map(Document::source)).contains(RawJson.of(source));
    }

    @Test
    void refuses_to_move_a_document_whose_source_lacks_the_path_field() {
        createIndex(index);
        putFile("1", "/a/x");
        Document seen = only("/a/x");
        Document without = new Document(seen.ref(), "/a/x", RawJson.of("{\"file\":{\"path\":\"/a/x\"}}"));

        List<Written> written = tree().move(files, List.of(new Move(without, "/b/x")));

        assertThat(written).singleElement().isInstanceOf(Written.Refused.class);
    }

    @Test
    void removes_a_document_only_in_the_version_read() {
        createIndex(index);
        put(index, "1", "route", file("/a/x"));
        putFile("2", "/a/y");
        Document.Ref routed = only("/a/x").ref();
        Document.Ref stale = only("/a/y").ref();
        putFile("2", "/a/z");

        List<Written> removed = tree().remove(List.of(new Removal(routed), new Removal(stale)));
        List<Written> again = tree().remove(List.of(new Removal(routed)));

        assertThat(removed)
                .<Class<?>>extracting(Object::getClass)
                .containsExactly(Written.Done.class, Written.Unknown.class);
        assertThat(again).singleElement().isInstanceOf(Written.Unknown.class);
        assertThat(ids(scan(files, "/a", Reach.AT_OR_BELOW))).containsExactly("2");
    }

    private Namespace versioned(VersionOwner owner, @Nullable String field) {
        Rules rules = new Rules(Granularity.TREE, 1, owner, field, 0);
        return new Namespace("versioned", index, Notation.SLASHES, Fields.of("path", "parent", "name"), null, rules);
    }

    private Rename rename(Namespace namespace, String source, String destination, @Nullable Long version) {
        return new Rename("r1", namespace, new TreePath(source), new TreePath(destination), OnExisting.FAIL, version);
    }

    /**
     * Moves the documents that a scan found. Returns a result for each document, by id: the version after the move, or
     * {@code refused}.
     */
    private Map<String, String> moved(Rename rename, List<Document> seen) {
        List<Written> written =
                tree().move(rename.namespace(), seen.stream().map(rename::move).toList());
        Map<String, String> moved = new TreeMap<>();
        for (int i = 0; i < seen.size(); i++) {
            Document.Ref ref = seen.get(i).ref();
            assertThat(written.get(i)).isInstanceOfAny(Written.Done.class, Written.Unknown.class);
            moved.put(
                    ref.id(),
                    written.get(i) instanceof Written.Done
                            ? String.valueOf(tree().read(rename.namespace(), ref)
                                    .orElseThrow()
                                    .ref()
                                    .external())
                            : "refused");
        }
        return moved;
    }

    @Test
    void a_scan_returns_the_versions_that_another_system_has_set() {
        createIndex(index);
        put(index, "1", file("/a"), 7);
        put(index, "2", file("/a/x"), 1L << 60);
        Namespace versioned = versioned(VersionOwner.EXTERNAL, null);

        assertThat(scan(versioned, "/a", Reach.AT_OR_BELOW))
                .extracting(
                        document -> document.ref().id(),
                        document -> document.ref().external())
                .containsExactlyInAnyOrder(tuple("1", 7L), tuple("2", 1L << 60));
        TreeSnapshot snapshot = tree().examine(rename(versioned, "/a/x", "/a", 9L));
        assertThat(snapshot.own()).extracting(own -> own.ref().external()).containsExactly(1L << 60);
        assertThat(snapshot.existing())
                .extracting(existing -> existing.ref().external())
                .containsExactlyInAnyOrder(7L, 1L << 60);
    }

    @Test
    void external_moves_only_documents_in_a_lower_version_and_writes_the_version_of_the_rename() {
        createIndex(index);
        put(index, "older", file("/a/1"), 16);
        put(index, "equal", file("/a/2"), 17);
        put(index, "newer", file("/a/3"), 18);
        Rename rename = rename(versioned(VersionOwner.EXTERNAL, null), "/a", "/b", 17L);
        List<Document> seen = scan(rename.namespace(), "/a", Reach.AT_OR_BELOW);

        assertThat(moved(rename, seen)).isEqualTo(Map.of("older", "17", "equal", "refused", "newer", "refused"));
        assertThat(moved(rename, seen)).as("the second move").containsEntry("older", "refused");
        assertThat(source(index, "older", null)).isEqualTo(file("/b/1"));
        assertThat(source(index, "equal", null)).isEqualTo(file("/a/2"));
        assertThat(source(index, "newer", null)).isEqualTo(file("/a/3"));
    }

    @Test
    void external_gte_moves_documents_in_the_version_of_the_rename_as_well_and_repeatedly() {
        createIndex(index);
        put(index, "older", file("/a/1"), 16);
        put(index, "equal", file("/a/2"), 17);
        put(index, "newer", file("/a/3"), 18);
        Rename rename = rename(versioned(VersionOwner.EXTERNAL_GTE, null), "/a", "/b", 17L);
        List<Document> seen = scan(rename.namespace(), "/a", Reach.AT_OR_BELOW);

        assertThat(moved(rename, seen)).isEqualTo(Map.of("older", "17", "equal", "17", "newer", "refused"));
        assertThat(moved(rename, seen)).as("the second move").containsEntry("older", "17");
        assertThat(source(index, "equal", null)).isEqualTo(file("/b/2"));
    }

    @Test
    void writes_each_document_in_the_version_that_it_contains() {
        createIndex(index);
        put(index, "1", file("/a/1").replace("}", ",\"row\":{\"version\":5}}"), 5);
        put(index, "2", file("/a/2").replace("}", ",\"row\":{\"version\":5}}"), 6);
        put(index, "3", file("/a/3").replace("}", ",\"row\":{\"version\":9000000000000000000}}"), 6);
        Rename rename = rename(versioned(VersionOwner.EXTERNAL_GTE, "row.version"), "/a", "/b", (Long) null);

        assertThat(moved(rename, scan(rename.namespace(), "/a", Reach.AT_OR_BELOW)))
                .isEqualTo(Map.of("1", "5", "2", "refused", "3", "9000000000000000000"));
    }

    @Test
    void a_late_write_does_not_restore_a_document_that_was_deleted_in_a_newer_version() {
        createIndex(index);
        put(index, "1", file("/a/1"), 16);
        put(index, "2", file("/a/2"), 16);
        Namespace versioned = versioned(VersionOwner.EXTERNAL, null);
        List<Document> seen = scan(versioned, "/a", Reach.AT_OR_BELOW);
        Rename later = rename(versioned, "/z", "/a/2", 18L);
        tree().remove(seen.stream()
                .map(Document::ref)
                .filter(ref -> ref.id().equals("2"))
                .map(later::removal)
                .toList());

        assertThat(moved(rename(versioned, "/a", "/b", 17L), seen)).isEqualTo(Map.of("1", "17", "2", "refused"));
        assertThat(ids(scan(versioned, "/b", Reach.AT_OR_BELOW))).containsExactly("1");
    }

    @Test
    void deletes_a_replaced_document_in_the_version_of_the_rename_unless_it_is_newer() {
        createIndex(index);
        put(index, "older", file("/a/1"), 16);
        put(index, "equal", file("/a/2"), 17);
        put(index, "newer", file("/a/3"), 18);
        List<Document.Ref> seen =
                Stream.of("/a/1", "/a/2", "/a/3").map(path -> only(path).ref()).toList();
        Rename external = rename(versioned(VersionOwner.EXTERNAL, null), "/z", "/a", 17L);
        Rename orEqual = rename(versioned(VersionOwner.EXTERNAL_GTE, null), "/z", "/a", 17L);

        assertThat(tree().remove(seen.stream().map(external::removal).toList()))
                .<Class<?>>extracting(Object::getClass)
                .containsExactly(Written.Done.class, Written.Unknown.class, Written.Unknown.class);
        assertThat(tree().remove(seen.stream().map(orEqual::removal).toList()))
                .<Class<?>>extracting(Object::getClass)
                .containsExactly(Written.Done.class, Written.Done.class, Written.Unknown.class);
        assertThat(ids(scan(files, "/a", Reach.AT_OR_BELOW))).containsExactly("newer");
    }

    @Test
    void an_examination_returns_a_file_and_the_documents_around_the_rename() {
        createIndex(index);
        putDirectory("1", "/a");
        putFile("2", "/a/x");
        putDirectory("3", "/b");
        putFile("4", "/b/c");
        putDirectory("5", "/z");

        TreeSnapshot snapshot = tree().examine(rename(files, "/a/x", "/b/c/d"));

        assertThat(existing(snapshot)).containsExactly("2 /a/x", "3 /b directory", "4 /b/c");
        assertThat(ids(snapshot.own())).containsExactly("2");
        assertThat(snapshot.own().getFirst().source()).isEqualTo(RawJson.of(file("/a/x")));
        assertThat(snapshot).returns(0L, TreeSnapshot::below).returns(false, TreeSnapshot::destinationIsFilled);
    }

    @Test
    void an_examination_returns_a_directory_with_the_number_of_documents_below() {
        createIndex(index);
        putDirectory("1", "/a");
        putFile("2", "/a/x");
        putDirectory("3", "/a/y");
        putFile("4", "/a/y/z");
        putFile("5", "/ab");
        putFile("6", "/c/full");

        TreeSnapshot snapshot = tree().examine(rename(files, "/a", "/c"));

        assertThat(existing(snapshot)).containsExactly("1 /a directory");
        assertThat(ids(snapshot.own())).containsExactly("1");
        assertThat(snapshot).returns(3L, TreeSnapshot::below).returns(true, TreeSnapshot::destinationIsFilled);
    }

    @Test
    void an_examination_counts_documents_below_a_source_that_is_no_document() {
        createIndex(index);
        putFile("1", "/a/x");
        putFile("2", "/b/full/y");
        putFile("3", "/b/full/empty");

        TreeSnapshot snapshot = tree().examine(rename(plain, "/a", "/b/full/empty/new"));

        assertThat(existing(snapshot)).containsExactly("3 /b/full/empty");
        assertThat(snapshot.own()).isEmpty();
        assertThat(snapshot).returns(1L, TreeSnapshot::below);
    }

    @Test
    void an_examination_sees_the_latest_writes() {
        createIndex(index);
        putFile("1", "/a/x");
        tree().examine(rename(files, "/a/x", "/b"));
        putFile("1", "/a/y");

        TreeSnapshot snapshot = tree().examine(rename(files, "/a/x", "/b"));

        assertThat(snapshot.existing()).isEmpty();
    }

    @Test
    void measures_the_longest_path_if_the_rename_makes_paths_longer() {
        createIndex(index);
        putDirectory("1", "/a");
        putFile("2", "/a/\uD83D\uDE00\uD83D\uDE00\uD83D\uDE00\uD83D\uDE00\uD83D\uDE00");
        putFile("3", "/a/1/2/3");
        putFile("4", "/directory/1/2");

        assertThat(tree().examine(rename(files, "/a", "/l/ong")).longest()).isEqualTo(new Longest(8, 4));
        assertThat(tree().examine(rename(files, "/a", "/long")).longest()).isEqualTo(new Longest(8, 0));
        assertThat(tree().examine(rename(files, "/directory", "/d/e")).longest())
                .isEqualTo(new Longest(0, 3));
        assertThat(tree().examine(rename(files, "/a", "/b")).longest()).isEqualTo(new Longest(0, 0));
        assertThat(tree().examine(rename(files, "/a/1", "/b")).longest()).isEqualTo(new Longest(0, 0));
    }

    @Test
    void measures_no_path_below_an_empty_directory() {
        createIndex(index);
        putDirectory("1", "/a");

        assertThat(tree().examine(rename(files, "/a", "/long")).longest()).isEqualTo(new Longest(0, 0));
    }

    @Test
    void an_examination_names_the_documents_below_the_source_that_have_several_paths() {
        createIndex(index);
        put("1", "{\"path\":\"/a/1\"}");
        put("2", "{\"path\":[\"/a/2\",\"/r\"]}");
        put("3", "{\"path\":[\"/a/3\",\"/a/3\"]}");
        put("4", "{\"path\":[\"/a/4\"]}");
        put("5", "{\"path\":\"/q/5\"}");

        assertThat(tree().examine(rename(plain, "/a", "/b")).immovable())
                .containsExactly("2: " + PathFields.NOT_ONE_PATH);
        assertThat(tree().examine(rename(plain, "/a/3", "/b")).immovable()).isEmpty();
        assertThat(tree().examine(rename(plain, "/q", "/b")).immovable()).isEmpty();
    }

    @Test
    void an_examination_of_an_empty_index_finds_nothing() {
        createIndex(index);

        assertThat(tree().examine(rename(plain, "/a", "/b/c")).seenAt(Set.of(), ""))
                .isEqualTo(new TreeSnapshot(List.of(), List.of(), 0, false, new Longest(0, 0)));
    }

    private static Object unordered(TreeSnapshot snapshot) {
        return List.of(
                Set.copyOf(snapshot.existing()),
                Set.copyOf(snapshot.own()),
                snapshot.below(),
                snapshot.destinationIsFilled(),
                snapshot.longest());
    }

    private static TreePath anyPath(Random random) {
        StringBuilder path = new StringBuilder();
        for (int depth = 1 + random.nextInt(3); depth > 0; depth--) {
            path.append('/').append("abcd".charAt(random.nextInt(4))).append(random.nextBoolean() ? "" : "xyz");
        }
        return new TreePath(path.toString());
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void concurrent_examinations_return_the_same_snapshots_as_single_examinations(long seed) throws Exception {
        createIndex(index);
        Random random = new Random(seed);
        for (int i = 0; i < 100; i++) {
            if (random.nextBoolean()) {
                putFile("f" + i, anyPath(random).text());
            } else {
                putDirectory("d" + i, anyPath(random).text());
            }
        }
        Namespace guide = other(
                index,
                Notation.SLASHES,
                new Fields("parent", Fields.Holds.DIRECTORY, null, "name", null, null, List.of()));
        List<Rename> renames = new ArrayList<>();
        for (int i = 0; i < 120; i++) {
            Namespace namespace = List.of(files, plain, guide).get(random.nextInt(3));
            renames.add(rename(namespace, anyPath(random), anyPath(random)));
        }

        List<Future<TreeSnapshot>> together = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            renames.forEach(rename -> together.add(threads.submit(() -> tree().examine(rename))));
        }

        for (int i = 0; i < renames.size(); i++) {
            Rename rename = renames.get(i);
            assertThat(unordered(together.get(i).get()))
                    .as(rename.source() + " to " + rename.destination())
                    .isEqualTo(unordered(tree().examine(rename)));
        }
    }

    @Test
    void a_scan_after_an_examination_shows_the_same_documents() {
        createIndex(index);
        putDirectory("a", "/a");
        putFile("1", "/a/1");
        putFile("2", "/a/b/2");
        putFile("beside", "/ab");
        Rename rename = rename(files, "/a", "/b");

        Set<String> shown = new TreeSet<>();
        try (Scan scan = tree().open(rename, tree().examine(rename))) {
            putFile("late", "/a/late");
            for (List<Document> page = scan.nextPage(); !page.isEmpty(); page = scan.nextPage()) {
                shown.addAll(ids(page));
            }
            scan.close();
            assertThatCode(scan::close).as("the second close").doesNotThrowAnyException();
        }

        assertThat(shown).containsExactly("1", "2", "a");
        assertThat(ids(scan(files, "/a", Reach.AT_OR_BELOW))).containsExactlyInAnyOrder("1", "2", "a", "late");
    }

    @Test
    void a_stream_moves_the_documents_of_each_of_its_requests() {
        createIndex(index);
        putFile("1", "/a/1");
        putFile("2", "/a/2");
        putFile("3", "/a/3");
        putFile("4", "/a/4");
        Document stale = only("/a/4");
        putFile("4", "/a/4");
        List<MoveStream.MoveResult> results = new ArrayList<>();
        try (MoveStream stream = tree().moves(files)) {
            results.addAll(stream.send(List.of(new Move(only("/a/1"), "/b/1"), new Move(only("/a/2"), "/b/2"))));
            results.addAll(stream.send(List.of(new Move(stale, "/b/4"))));
            results.addAll(stream.send(List.of(new Move(only("/a/3"), "/b/3"))));
            results.addAll(stream.finish());
            assertThat(stream.finish()).isEmpty();
        }

        Set<String> done = new TreeSet<>();
        for (MoveStream.MoveResult result : results) {
            assertThat(result.silence()).isNull();
            for (int i = 0; i < result.moves().size(); i++) {
                if (result.written().get(i) instanceof Written.Done) {
                    done.add(result.moves().get(i).document().ref().id());
                }
            }
        }
        assertThat(results).hasSize(3);
        assertThat(done).containsExactly("1", "2", "3");
        assertThat(ids(scan(files, "/b", Reach.AT_OR_BELOW))).containsExactly("1", "2", "3");
        assertThat(ids(scan(files, "/a", Reach.AT_OR_BELOW))).containsExactly("4");
    }
}
