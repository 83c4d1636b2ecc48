package org.treerename.elastic;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.treerename.namespace.Fields;
import org.treerename.namespace.Namespace;
import org.treerename.namespace.Rules;
import org.treerename.path.Notation;
import org.treerename.path.TreePath;
import org.treerename.request.OnExisting;
import org.treerename.store.RefusedException;
import org.treerename.store.Version;
import org.treerename.testservers.TestServers;
import org.treerename.tree.Condition;
import org.treerename.tree.Document;
import org.treerename.tree.MoveStream;
import org.treerename.tree.MoveStream.MoveResult;
import org.treerename.tree.RawJson;
import org.treerename.tree.Rename;
import org.treerename.tree.TreeSnapshot;
import org.treerename.tree.TreeStore;
import org.treerename.tree.TreeStore.Move;
import org.treerename.tree.TreeStore.Reach;
import org.treerename.tree.TreeStore.Scan;
import org.treerename.tree.TreeStore.Written;
import org.treerename.tree.TreeStoreContract;

class ElasticTreeStoreIT extends TreeStoreContract {

    /** The tag of tests that need modules of Elasticsearch that Maven Central has only for one version. */
    private static final String COMPLETE = "complete-elasticsearch";

    /**
     * The number of searches that two slices send before the reader takes the first page. Three pages are in the queue,
     * and two pages wait for free space.
     */
    private static final int READ_AHEAD = 5;

    /**
     * A number of documents that fills four pages of each slice. The first page contains 500 documents, the next two
     * pages contain 5,000 documents each, and the last page contains the rest.
     */
    private static final int MANY = 24_000;

    private final ElasticTreeStore tree =
            new ElasticTreeStore(RealElastic.ELASTIC, new ElasticTreeStore.Limits(PAGE, 300));

    @Override
    protected TreeStore tree() {
        return tree;
    }

    @Override
    protected void createIndex(String name) {
        RealElastic.createTreeIndex(name, "\"max_result_window\": 10000");
    }

    @Override
    protected void alias(String alias, String... indices) {
        RealElastic.alias(alias, indices);
    }

    @Override
    protected void put(String into, String id, @Nullable String routing, String source) {
        RealElastic.put(into, id, routing, source);
    }

    @Override
    protected void put(String into, String id, String source, long version) {
        RealElastic.put(into, id, source, version);
    }

    @Override
    protected String source(String from, String id, @Nullable String routing) {
        return RealElastic.source(from, id, routing);
    }

    private List<Document> at(Namespace namespace, String path) {
        try (Scan scan = tree.scan(namespace, new TreePath(path), Reach.AT)) {
            return scan.nextPage();
        }
    }

    @Test
    @Tag(COMPLETE)
    void the_default_pipeline_of_an_index_does_not_run_when_a_document_moves() {
        assertDoesNotRun("default_pipeline");
    }

    @Test
    void refuses_an_index_with_a_final_pipeline() {
        RealElastic.RAW.put("/_ingest/pipeline/p-" + index, RealElastic.json("{\"processors\": []}"));
        RealElastic.createTreeIndex(index, "\"final_pipeline\": \"p-%s\"".formatted(index));

        assertThatThrownBy(() -> tree.indices(files))
                .isInstanceOf(RefusedException.class)
                .hasMessageContaining(index)
                .hasMessageContaining("p-" + index);
    }

    /** Creates the index of the test and an alias of it. Returns a namespace behind the alias. */
    private Namespace behindAlias() {
        createIndex(index);
        alias(index + "-alias", index);
        return Namespace.ofFiles("aliased", index + "-alias");
    }

    private void assertRefuses(Namespace namespace, String... texts) {
        assertThatThrownBy(() -> tree.indices(namespace))
                .isInstanceOf(RefusedException.class)
                .hasMessageContainingAll(texts);
    }

    @ParameterizedTest(name = "{1}")
    @CsvSource(
            delimiter = ';',
            value = {
                "{'mappings':{'_source':{'excludes':['secret']},'properties':{'path':{'type':'keyword'}}}}; _source is stored only in part",
                "{'mappings':{'properties':{'path':{'type':'text'}}}}; the field path is of type text, not keyword",
                "{'settings':{'index.mode':'logsdb'},'mappings':{'properties':{'path':{'type':'keyword'}}}}; _source is synthetic"
            })
    void refuses_an_unsuitable_index_that_joins_the_alias_after_the_first_read(String definition, String problem) {
        Namespace aliased = behindAlias();
        assertThat(tree.indices(aliased)).containsOnlyKeys(index);
        String other = index + "-2";
        RealElastic.RAW.put("/" + other, RealElastic.json(definition.replace('\'', '"')));

        alias(aliased.index(), other);

        assertRefuses(aliased, problem, other);
    }

    @ParameterizedTest(name = "{1}")
    @CsvSource(
            delimiter = ';',
            value = {
                "{'runtime':{'path':{'type':'keyword'}}}; the field path is a runtime field",
                "{'properties':{'path':{'type':'keyword','ignore_above':100}}}; ignore_above of the field path is 100"
            })
    void refuses_an_index_whose_mapping_changes_after_the_first_read(String change, String problem) {
        createIndex(index);
        assertThat(tree.indices(files)).containsOnlyKeys(index);

        RealElastic.RAW.put("/" + index + "/_mapping", RealElastic.json(change.replace('\'', '"')));

        assertRefuses(files, problem, index);
    }

    @ParameterizedTest(name = "{1}")
    @CsvSource(
            delimiter = ';',
            value = {"{'filter':{'term':{'type':'file'}}}; has a filter", "{'routing':'1'}; has a routing value"})
    void refuses_an_alias_that_hides_documents_since_the_first_read(String change, String problem) {
        Namespace aliased = behindAlias();
        assertThat(tree.indices(aliased)).containsOnlyKeys(index);

        RealElastic.RAW.put("/" + index + "/_alias/" + aliased.index(), RealElastic.json(change.replace('\'', '"')));

        assertRefuses(aliased, "the alias " + aliased.index() + " " + problem);
    }

    @Test
    void refuses_an_index_that_acknowledges_writes_before_they_are_on_disk() {
        RealElastic.createTreeIndex(index, "\"translog.durability\": \"async\"");

        assertThatThrownBy(() -> tree.indices(files))
                .isInstanceOf(RefusedException.class)
                .hasMessageContaining("index.translog.durability is async in the index " + index
                        + "; set index.translog.durability to request");
    }

    @Test
    void a_late_bulk_does_not_create_a_deleted_index_again() {
        createIndex(index);
        put(index, "1", null, "{\"path\":\"/a\"}");
        Document seen = at(files, "/a").getFirst();
        RawPut.delete(TestServers.elasticsearchUrl() + "/" + index);

        List<Written> moved = tree.move(files, List.of(new Move(seen, "/b")));
        List<Written> above = tree.move(
                files, List.of(new Move(seen, "/b", UnaryOperator.identity(), new Condition.Above(7, false))));
        List<Written> removed = tree.remove(List.of(new TreeStore.Removal(seen.ref(), new Condition.Above(8, false))));

        assertThat(RealElastic.RAW.get("/" + index).status()).isEqualTo(404);
        assertThat(List.of(moved.getFirst(), above.getFirst(), removed.getFirst()))
                .allSatisfy(written -> assertThat(written).isInstanceOf(Written.Refused.class));
    }

    @Test
    void refuses_a_namespace_without_an_index() {
        assertThatThrownBy(() -> tree.indices(files))
                .isInstanceOf(RefusedException.class)
                .hasMessage("there is no index or alias " + index);
    }

    private void assertDoesNotRun(String setting) {
        String pipeline = "p-" + index;
        RealElastic.RAW.put("/_ingest/pipeline/" + pipeline, RealElastic.json("""
                {"processors": [{"script": {"source": "ctx.runs = ctx.runs == null ? 1 : ctx.runs + 1"}}]}"""));
        RealElastic.createTreeIndex(index, "\"%s\": \"%s\"".formatted(setting, pipeline));
        put(index, "1", null, "{\"path\":\"/a\"}");
        assertThat(source(index, "1", null)).isEqualTo("{\"path\":\"/a\",\"runs\":1}");

        List<Written> written =
                tree.move(files, List.of(new Move(at(files, "/a").getFirst(), "/b")));

        assertThat(written).containsExactly(new Written.Done());
        assertThat(source(index, "1", null)).isEqualTo("{\"path\":\"/b\",\"runs\":1}");
    }

    @Test
    void reports_a_document_that_elasticsearch_rejects_as_refused_and_moves_the_others() {
        createIndex(index);
        put(index, "1", null, "{\"path\":\"/a\"}");
        put(index, "2", null, "{\"path\":\"/a\"}");
        List<Document> seen = at(files, "/a");

        List<Written> written =
                tree.move(files, List.of(new Move(seen.get(0), "/" + "ü".repeat(20_000)), new Move(seen.get(1), "/b")));

        assertThat(written)
                .<Class<?>>extracting(Object::getClass)
                .containsExactly(Written.Refused.class, Written.Done.class);
    }

    @Test
    void a_page_with_several_documents_is_not_larger_than_a_bulk() {
        createIndex(index);
        StringBuilder bulk = new StringBuilder();
        for (int i = 0; i < 502; i++) {
            bulk.append("{\"index\":{}}%n{\"path\":\"/a\",\"name\":\"%s\"}%n".formatted("x".repeat(200)));
        }
        RealElastic.bulk(index, bulk.toString());
        ElasticTreeStore small = new ElasticTreeStore(RealElastic.ELASTIC, new ElasticTreeStore.Limits(1_000, 400));

        try (Scan scan = small.scan(files, new TreePath("/a"), Reach.AT)) {
            for (int i = 0; i < 502; i++) {
                assertThat(scan.nextPage()).hasSize(1);
            }
            assertThat(scan.nextPage()).isEmpty();
        }
    }

    @Test
    void documents_too_large_for_one_answer_are_read_in_smaller_pages() {
        createIndex(index);
        String large = "x".repeat(12 * 1024 * 1024);
        for (int i = 0; i < PAGE; i++) {
            put(index, String.valueOf(i), null, "{\"path\":\"/a\",\"text\":[\"" + large + "\"]}");
        }

        List<String> read = new ArrayList<>();
        try (Scan scan = tree.scan(files, new TreePath("/a"), Reach.AT)) {
            for (List<Document> page = scan.nextPage(); !page.isEmpty(); page = scan.nextPage()) {
                page.forEach(document -> read.add(document.ref().id()));
            }
        }

        assertThat(read).containsExactlyInAnyOrder("0", "1", "2");
    }

    @Test
    void moves_all_documents_that_are_read_in_slices_and_written_in_parallel() {
        createIndex(index);
        ElasticTreeStore many = new ElasticTreeStore(RealElastic.ELASTIC, new ElasticTreeStore.Limits(50, 100_000));
        String text = "x".repeat(2_000);
        StringBuilder bulk = new StringBuilder();
        for (int i = 0; i < 1_000; i++) {
            bulk.append("{\"index\":{\"_id\":\"%d\"}}%n{\"path\":\"/a/%d\",\"text\":\"%s\"}%n".formatted(i, i, text));
        }
        RealElastic.bulk(index, bulk.toString());

        List<MoveResult> results = new ArrayList<>();
        try (Scan scan = many.scan(files, new TreePath("/a"), Reach.AT_OR_BELOW);
                MoveStream stream = many.moves(files)) {
            for (List<Document> page = scan.nextPage(); !page.isEmpty(); page = scan.nextPage()) {
                assertThat(page).hasSizeLessThanOrEqualTo(50);
                results.addAll(stream.send(page.stream()
                        .map(document ->
                                new Move(document, "/b" + document.path().substring(2)))
                        .toList()));
            }
            results.addAll(stream.finish());
        }

        assertThat(results.stream().flatMap(result -> result.written().stream()))
                .hasSize(1_000)
                .containsOnly(new Written.Done());
        for (String id : List.of("0", "517", "999")) {
            assertThat(source(index, id, null)).isEqualTo("{\"path\":\"/b/%s\",\"text\":\"%s\"}".formatted(id, text));
        }
    }

    @Test
    void returns_the_pages_that_are_ready_as_one_page() throws InterruptedException {
        createIndex(index);
        StringBuilder bulk = new StringBuilder();
        for (int i = 0; i < MANY; i++) {
            bulk.append("{\"index\":{\"_id\":\"%d\"}}%n{\"path\":\"/a/%d\"}%n".formatted(i, i));
        }
        RealElastic.bulk(index, bulk.toString());
        CountDownLatch searches = new CountDownLatch(READ_AHEAD);
        Set<String> read = new HashSet<>();
        int largest = 0;
        try (Elastic counted = RealElastic.observed(request -> {
                    if (request.startsWith("POST /_search")) {
                        searches.countDown();
                    }
                    return status -> {};
                });
                Scan scan = new ElasticTreeStore(counted, new ElasticTreeStore.Limits(10_000, 1_000_000))
                        .scan(files, new TreePath("/a"), Reach.AT_OR_BELOW)) {
            assertThat(searches.await(1, TimeUnit.MINUTES))
                    .as("slices send their next searches when their last page is ready")
                    .isTrue();
            for (List<Document> page = scan.nextPage(); !page.isEmpty(); page = scan.nextPage()) {
                page.forEach(document -> read.add(document.path()));
                largest = Math.max(largest, page.size());
            }
        }

        assertThat(read).hasSize(MANY);
        assertThat(largest).isGreaterThan(5_000).isLessThanOrEqualTo(10_000);
    }

    @Test
    @Timeout(60)
    void a_scan_that_is_closed_early_releases_its_share_of_the_heap() {
        createIndex(index);
        for (int i = 0; i < 3 * PAGE; i++) {
            put(index, String.valueOf(i), null, "{\"path\":\"/a\"}");
        }
        long before = tree.heap().free();

        try (Scan scan = tree.scan(files, new TreePath("/a"), Reach.AT)) {
            assertThat(scan.nextPage()).hasSize(PAGE);
            assertThat(tree.heap().free()).isLessThan(before);
            scan.close();
        }

        while (tree.heap().free() < before) {
            Thread.onSpinWait(); // waits until the thread that reads ahead has ended
        }
        assertThat(tree.heap().free())
                .as("free share of the heap after two closes")
                .isEqualTo(before);
    }

    @Test
    void closes_each_point_in_time() {
        createIndex(index);
        put(index, "1", null, "{\"path\":\"/a\"}");

        at(files, "/a");

        Awaitility.await("a separate thread has closed the point in time")
                .atMost(Duration.ofMinutes(2))
                .until(() -> RealElastic.RAW
                                .get("/" + index + "/_stats/search")
                                .json()
                                .at("/_all/total/search/open_contexts")
                                .asInt()
                        == 0);
    }

    @Test
    void finds_fields_of_objects_in_nested_and_in_dotted_notation() {
        RealElastic.RAW.put("/" + index, RealElastic.json("""
                {"mappings": {"properties": {
                   "path": {"properties": {"virtual": {"type": "keyword"}, "real": {"type": "keyword"}}},
                   "file": {"properties": {"filename": {"type": "keyword"}}}}}}
                """));
        Namespace crawl = new Namespace(
                "crawl",
                index,
                Notation.SLASHES,
                Fields.of("path.virtual", null, "file.filename"),
                null,
                Rules.DEFAULT);
        put(index, "1", null, "{\"path\":{\"real\":\"/mnt/a/x\",\"virtual\":\"/a/x\"},\"file\":{\"filename\":\"x\"}}");
        put(index, "2", null, "{\"path.virtual\":\"/a/y\",\"file.filename\":\"y\"}");

        TreeSnapshot snapshot = tree.examine(renameOf(crawl, "/a/y", "/a/x"));
        assertThat(snapshot.existing())
                .extracting(existing -> existing.path().text())
                .containsExactlyInAnyOrder("/a/x", "/a/y");
        Rename rename = renameOf(crawl, "/a", "/b c");
        assertThat(tree.examine(rename).below()).isEqualTo(2);
        try (Scan scan = tree.scan(crawl, rename.source(), Reach.AT_OR_BELOW)) {
            List<Move> moves = scan.nextPage().stream().map(rename::move).toList();
            assertThat(tree.move(crawl, moves)).containsExactly(new Written.Done(), new Written.Done());
        }

        assertThat(source(index, "1", null))
                .isEqualTo("{\"path\":{\"real\":\"/mnt/a/x\",\"virtual\":\"/b c/x\"},\"file\":{\"filename\":\"x\"}}");
        assertThat(source(index, "2", null)).isEqualTo("{\"path.virtual\":\"/b c/y\",\"file.filename\":\"y\"}");
    }

    /**
     * Asserts that a rename changes only the paths of the expected documents.
     *
     * @param compared returns the part of a document's source that this method compares
     */
    private void assertMovesUnchanged(Namespace namespace, Function<String, Object> compared, Document... expected) {
        Rename rename = renameOf(namespace, "/a", "/b/c");
        List<Document> moved = new ArrayList<>();
        try (Scan scan = tree.scan(namespace, rename.source(), Reach.AT_OR_BELOW)) {
            for (List<Document> page = scan.nextPage(); !page.isEmpty(); page = scan.nextPage()) {
                moved.addAll(page);
                assertThat(tree.move(namespace, page.stream().map(rename::move).toList()))
                        .containsOnly(new Written.Done());
            }
        }
        assertThat(moved)
                .extracting(document -> List.of(
                        document.ref().index(),
                        document.ref().id(),
                        String.valueOf(document.ref().routing())))
                .containsExactlyInAnyOrderElementsOf(Stream.of(expected)
                        .map(document -> List.of(
                                document.ref().index(),
                                document.ref().id(),
                                String.valueOf(document.ref().routing())))
                        .toList());
        for (Document document : expected) {
            assertThat(compared.apply(whole(document.ref())))
                    .isEqualTo(compared.apply(document.source().toString().replace("\"/a/", "\"/b/c/")));
        }
    }

    /** Returns the source of a document with its vectors. By default, Elasticsearch does not return vectors. */
    private static String whole(Document.Ref ref) {
        String query = ref.routing() == null ? "" : "&routing=" + ref.routing();
        return new String(
                RealElastic.RAW
                        .get("/" + ref.index() + "/_source/" + ref.id() + "?_source_exclude_vectors=false" + query)
                        .body(),
                UTF_8);
    }

    private Document documentIn(String into, String id, @Nullable String routing, String source) {
        put(into, id, routing, source);
        return new Document(new Document.Ref(into, id, routing, new Version(0, 1)), "", RawJson.of(source));
    }

    @Test
    @Tag(COMPLETE)
    void moves_a_tree_in_indices_of_different_kinds_without_other_changes() {
        String sorted = index + "-sorted";
        String joined = index + "-joined";
        String nested = index + "-nested";
        RealElastic.RAW.put("/" + sorted, RealElastic.json("""
                {"settings": {"index": {"number_of_shards": 2, "sort.field": ["size", "path"], "sort.order": ["desc", "asc"]}},
                 "mappings": {"dynamic": "strict", "properties": {"path": {"type": "keyword"}, "size": {"type": "long"}}}}
                """));
        RealElastic.RAW.put("/" + joined, RealElastic.json("""
                {"settings": {"number_of_shards": 3},
                 "mappings": {"_routing": {"required": true}, "properties": {"path": {"type": "keyword"},
                   "family": {"type": "join", "relations": {"folder": ["file"]}}}}}
                """));
        RealElastic.RAW.put("/" + nested, RealElastic.json("""
                {"mappings": {"properties": {"path": {"type": "keyword"},
                   "versions": {"type": "nested", "properties": {"path": {"type": "keyword"}, "at": {"type": "date"}}}}}}
                """));
        RealElastic.alias(index, sorted, joined, nested);
        List<Document> documents = List.of(
                documentIn(sorted, "1", null, "{\"path\":\"/a/1\",\"size\":1.0}"),
                documentIn(sorted, "2", null, "{\"size\":\"2\", \"path\":\"/a/2\"}"),
                documentIn(joined, "1", "x", "{\"family\":\"folder\",\"path\":\"/a/x\"}"),
                documentIn(joined, "2", "x", "{\"path\":\"/a/x/y\",\"family\":{\"name\":\"file\",\"parent\":\"1\"}}"),
                documentIn(
                        nested,
                        "1",
                        null,
                        "{\"versions\":[{\"path\":\"/z\",\"at\":\"2026-01-01\"},{\"at\":null}],\"path\":\"/a/n\"}"));

        assertMovesUnchanged(files, text -> text, documents.toArray(Document[]::new));

        assertThat(RealElastic.RAW
                        .post("/" + joined + "/_search", RealElastic.json("""
                                {"query": {"has_parent": {"parent_type": "folder", "query": {"match_all": {}}}}}"""))
                        .json()
                        .at("/hits/total/value")
                        .asInt())
                .as("number of child documents, without a refresh")
                .isEqualTo(1);
    }

    @Test
    void keeps_vectors_that_a_search_excludes() {
        RealElastic.RAW.put("/" + index, RealElastic.json("""
                {"mappings": {"properties": {"path": {"type": "keyword"},
                   "v": {"type": "dense_vector", "dims": 3}, "s": {"type": "sparse_vector"}}}}
                """));

        // Elasticsearch changes the order of the fields when it adds the vectors, so compare the sources as JSON
        assertMovesUnchanged(
                files,
                RealElastic::json,
                documentIn(index, "1", null, "{\"path\":\"/a/1\",\"v\":[0.5,1.5,-2.0],\"s\":{\"x\":0.5}}"),
                documentIn(index, "2", null, "{\"path\":\"/a/2\",\"v\":[1.0,0.0,0.0]}"));

        Document own = tree.examine(renameOf(files, "/b/c/2", "/z")).own().getFirst();
        assertThat(own.source().toString())
                .as("source of a document that moves alone")
                .contains("\"v\":[1.0,0.0,0.0]");
        assertThat(tree.read(files, own.ref()).map(read -> read.source().toString()))
                .contains(own.source().toString());
    }

    private static Rename renameOf(Namespace namespace, String source, String destination) {
        return new Rename("r1", namespace, new TreePath(source), new TreePath(destination), OnExisting.FAIL);
    }

    @Test
    void refuses_an_index_that_two_known_namespaces_share_by_name_or_alias() {
        String one = "shared-" + UUID.randomUUID();
        String other = "shared-" + UUID.randomUUID();
        String alias = "shared-" + UUID.randomUUID();
        RealElastic.createTreeIndex(one, "\"max_result_window\": 10000");
        RealElastic.createTreeIndex(other, "\"max_result_window\": 10000");
        RealElastic.alias(alias, other);
        Namespace ofOne = Namespace.ofFiles("one", one);
        Namespace ofAlias = Namespace.ofFiles("aliased", alias);
        ElasticTreeStore tree = new ElasticTreeStore(
                RealElastic.ELASTIC,
                ElasticTreeStore.Limits.DEFAULT,
                () -> List.of(ofOne, ofAlias, Namespace.ofFiles("third", "none")));

        assertThat(tree.indices(ofOne)).containsOnlyKeys(one);
        assertThat(tree.indices(ofAlias)).containsOnlyKeys(other);

        RealElastic.alias(alias, one);
        String words = "share the index " + one + "; each namespace must have its own index: remove " + one
                + " from the alias " + alias;
        assertThatThrownBy(() -> tree.indices(ofOne))
                .isInstanceOf(RefusedException.class)
                .hasMessage("the namespaces one and aliased " + words);
        assertThatThrownBy(() -> tree.indices(ofAlias)).hasMessage("the namespaces aliased and one " + words);
    }

    @Test
    void a_document_with_two_paths_refuses_only_the_renames_of_these_paths() throws Exception {
        createIndex(index);
        put(index, "both", null, "{\"path\":[\"/a/3\",\"/a/8\"]}");
        for (int i = 10; i < 20; i++) {
            put(index, String.valueOf(i), null, "{\"path\":\"/a/%d\"}".formatted(i));
        }
        List<Future<TreeSnapshot>> together = new ArrayList<>();

        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 20; i++) {
                Rename rename = renameOf(files, "/a/" + i, "/b/" + i);
                together.add(threads.submit(() -> tree.examine(rename)));
            }
        }

        for (int i = 0; i < 20; i++) {
            Future<TreeSnapshot> snapshot = together.get(i);
            if (i == 3 || i == 8) {
                assertThatThrownBy(snapshot::get)
                        .hasCauseInstanceOf(RefusedException.class)
                        .hasMessageContaining(
                                "expected one string as the path of document both, found none or several values");
            } else {
                assertThat(snapshot.get().own()).hasSize(i < 10 ? 0 : 1);
            }
        }
    }

    @Test
    void refuses_only_the_rename_whose_path_has_too_many_documents() throws Exception {
        createIndex(index);
        StringBuilder bulk = new StringBuilder();
        for (int i = 0; i < 10_001; i++) {
            bulk.append("{\"index\":{}}%n{\"path\":\"/a/%s\"}%n".formatted(i == 0 ? "one" : "many"));
        }
        bulk.append("{\"index\":{}}%n{\"path\":\"/a/many\"}%n".formatted());
        RealElastic.bulk(index, bulk.toString());
        List<Future<TreeSnapshot>> together = new ArrayList<>();

        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (String name : List.of("none", "one", "many", "other")) {
                Rename rename = renameOf(files, "/a/" + name, "/b/" + name);
                together.add(threads.submit(() -> tree.examine(rename)));
            }
        }

        assertThat(together.get(0).get().own()).isEmpty();
        assertThat(together.get(1).get().own()).hasSize(1);
        assertThatThrownBy(together.get(2)::get)
                .hasCauseInstanceOf(RefusedException.class)
                .hasMessageContaining("more than 10000 documents are at [/a/many]");
        assertThat(together.get(3).get().own()).isEmpty();
    }
}
