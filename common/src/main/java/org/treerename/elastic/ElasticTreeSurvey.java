package org.treerename.elastic;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.treerename.namespace.Namespace;
import org.treerename.path.TreePath;
import org.treerename.store.NoAnswerException;
import org.treerename.tree.PathFields;
import org.treerename.tree.TreeStore.Reach;
import org.treerename.tree.TreeStore.Scan;
import org.treerename.tree.TreeSurvey;

/**
 * Reads the paths of a tree by a composite aggregation, and the path fields of documents from a point in time. Only a
 * few pages are in memory, even if the tree is large.
 */
public final class ElasticTreeSurvey implements TreeSurvey {

    /** The maximum number of documents without a path whose ids are reported. */
    private static final int MOST_NAMED = 3;

    private static final int MOST_HITS = 10_000;

    /** The maximum number of concrete indices behind one alias. */
    private static final int MOST_INDICES = 10_000;

    /** The maximum number of bytes of a page of path fields. */
    private static final int PAGE_BYTES = 4 * 1024 * 1024;

    /** The number of bytes that a page may have even if other scans use the whole share of the heap. */
    private static final long LEAST_BYTES = 64 * 1024;

    private final Elastic elastic;
    private final int page;
    private final HeapShare heap = HeapShare.ofThisProcess(LEAST_BYTES);

    /**
     * @param page the maximum number of paths or documents of a page, 1 to 10,000
     */
    public ElasticTreeSurvey(Elastic elastic, int page) {
        if (page < 1 || page > 10_000) {
            throw new IllegalArgumentException("a page must have 1 to 10000 paths, found " + page);
        }
        this.elastic = elastic;
        this.page = page;
    }

    @Override
    public List<At> paths(Namespace namespace, @Nullable String after) {
        if (after == null && !refreshed(namespace)) {
            return List.of();
        }
        ObjectNode body = Json.object().put("size", 0);
        ObjectNode composite = body.putObject("aggs").putObject("paths").putObject("composite");
        composite.put("size", page);
        ArrayNode sources = composite.putArray("sources");
        List<String> pathFields = namespace.fields().pathFields();
        List<String> searched = namespace.fields().searched();
        for (int i = 0; i < pathFields.size(); i++) {
            sources.addObject().putObject(pathFields.get(i)).putObject("terms").put("field", searched.get(i));
        }
        if (after != null) {
            ObjectNode key = composite.putObject("after");
            namespace.pathValues(after).forEach(key::put);
        }
        List<At> paths = new ArrayList<>();
        for (JsonNode bucket : Json.field(search(namespace, body).aggregations().path("paths"), "buckets")) {
            JsonNode key = Json.field(bucket, "key");
            namespace
                    .pathOf(field -> Optional.of(Json.field(key, field).asText()))
                    .ifPresent(path -> paths.add(
                            new At(path, Json.field(bucket, "doc_count").asLong())));
        }
        return paths;
    }

    /** Refreshes the index. Returns false if it does not exist. */
    boolean refreshed(Namespace namespace) {
        Elastic.Answer answer = elastic.post("/" + namespace.index() + "/_refresh");
        if (answer.status() == 404) {
            return false;
        }
        if (!answer.isOk() || answer.json().path("_shards").path("failed").asInt(-1) != 0) {
            throw new NoAnswerException("the refresh of " + namespace.index() + " failed: " + answer.json(), null);
        }
        return true;
    }

    @Override
    public Set<String> directories(Namespace namespace, Set<String> paths) {
        Namespace.Directories directories = namespace.directoryDocuments().orElse(null);
        if (directories == null || paths.isEmpty()) {
            return Set.of();
        }
        List<TreePath> wanted = paths.stream().map(namespace.notation()::path).toList();
        ObjectNode body = Json.object().put("size", MOST_HITS).put("track_total_hits", true);
        ArrayNode fields = body.putArray("_source");
        namespace.fields().pathFields().forEach(fields::add);
        fields.add(directories.field());
        body.set("query", Queries.atOneOf(namespace, wanted));
        SearchAnswer answer = search(namespace, body);
        if (answer.total() > answer.hits().size() && wanted.size() > 1) {
            Set<String> halves = new HashSet<>();
            int half = wanted.size() / 2;
            halves.addAll(directories(namespace, texts(wanted.subList(0, half))));
            halves.addAll(directories(namespace, texts(wanted.subList(half, wanted.size()))));
            return halves;
        }
        Set<String> found = new HashSet<>();
        for (SearchAnswer.Hit hit : answer.hits()) {
            if (PathFields.text(hit.source(), directories.field())
                    .filter(directories.value()::equals)
                    .isPresent()) {
                PathFields.path(namespace, hit.source()).filter(paths::contains).ifPresent(found::add);
            }
        }
        return found;
    }

    @Override
    public Scan pathFields(Namespace namespace) {
        if (!refreshed(namespace)) {
            return new ElasticTreeStore.EmptyScan();
        }
        TreePath root = namespace.notation().root();
        return ElasticScan.open(
                elastic,
                new Slice.Reading(namespace, root, Reach.AT_OR_BELOW, namespace.computedFields()),
                new ElasticScan.Manner(new ElasticTreeStore.Limits(page, PAGE_BYTES), heap, 1, Runnable::run));
    }

    @Override
    public Map<String, Long> documents(Namespace namespace, TreePath path) {
        Map<String, Long> documents = new TreeMap<>();
        if (!refreshed(namespace)) {
            return documents;
        }
        ObjectNode body = Json.object().put("size", 0);
        body.set("query", Queries.of(namespace, path, Reach.AT_OR_BELOW));
        body.putObject("aggs")
                .putObject("indices")
                .putObject("terms")
                .put("field", "_index")
                .put("size", MOST_INDICES);
        for (JsonNode bucket : Json.field(search(namespace, body).aggregations().path("indices"), "buckets")) {
            documents.put(
                    Json.field(bucket, "key").asText(),
                    Json.field(bucket, "doc_count").asLong());
        }
        return documents;
    }

    private static Set<String> texts(List<TreePath> paths) {
        Set<String> texts = new HashSet<>();
        paths.forEach(path -> texts.add(path.text()));
        return texts;
    }

    @Override
    public Pathless pathless(Namespace namespace) {
        if (!refreshed(namespace)) {
            return new Pathless(0, List.of());
        }
        ObjectNode body = Json.object()
                .put("size", MOST_NAMED)
                .put("track_total_hits", true)
                .put("_source", false);
        ArrayNode lacking = body.putObject("query")
                .putObject("bool")
                .put("minimum_should_match", 1)
                .putArray("should");
        for (String field : namespace.fields().searched()) {
            lacking.addObject()
                    .putObject("bool")
                    .putObject("must_not")
                    .putObject("exists")
                    .put("field", field);
        }
        SearchAnswer answer = search(namespace, body);
        return new Pathless(
                answer.total(),
                answer.hits().stream().map(hit -> hit.ref().id()).toList());
    }

    private SearchAnswer search(Namespace namespace, ObjectNode body) {
        return SearchAnswer.of(
                elastic.post("/" + namespace.index() + "/_search?allow_partial_search_results=false", body));
    }
}
