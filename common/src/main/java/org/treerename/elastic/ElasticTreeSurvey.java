package org.treerename.elastic;

import co.elastic.clients.elasticsearch._types.aggregations.CompositeAggregation;
import co.elastic.clients.elasticsearch._types.aggregations.CompositeAggregationSource;
import co.elastic.clients.elasticsearch._types.query_dsl.Query;
import co.elastic.clients.elasticsearch.core.search.SearchRequestBody;
import co.elastic.clients.util.NamedValue;
import com.fasterxml.jackson.databind.JsonNode;
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
import org.treerename.tree.PathFields;
import org.treerename.tree.TreeStore.Reach;
import org.treerename.tree.TreeStore.Scan;
import org.treerename.tree.TreeSurvey;

/**
 * Reads the paths of a tree with a composite aggregation, and the path fields of documents from a point in time. Only a
 * few pages are in memory, even if the tree is large.
 */
public final class ElasticTreeSurvey implements TreeSurvey {

    /** The maximum number of ids that {@link #pathless} returns. */
    private static final int MOST_NAMED = 3;

    private static final int MOST_HITS = 10_000;

    /** The maximum number of concrete indices behind one alias. */
    private static final int MOST_INDICES = 10_000;

    private static final int PAGE_BYTES = 4 * 1024 * 1024;

    private final Elastic elastic;
    private final int page;
    private final HeapShare heap = HeapShare.ofThisProcess();

    /**
     * @param page the maximum number of paths or documents on a page, 1 to 10,000
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
        List<NamedValue<CompositeAggregationSource>> sources = new ArrayList<>();
        List<String> pathFields = namespace.fields().pathFields();
        List<String> searched = namespace.fields().searched();
        for (int i = 0; i < pathFields.size(); i++) {
            String field = searched.get(i);
            sources.add(new NamedValue<>(
                    pathFields.get(i), CompositeAggregationSource.of(s -> s.terms(t -> t.field(field)))));
        }
        CompositeAggregation.Builder composite =
                new CompositeAggregation.Builder().size(page).sources(sources);
        if (after != null) {
            namespace.pathValues(after).forEach((field, value) -> composite.after(field, value));
        }
        SearchRequestBody body = new SearchRequestBody.Builder()
                .size(0)
                .aggregations("paths", composite.build()._toAggregation())
                .build();
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

    /** Refreshes the index. Returns false if the index does not exist. */
    boolean refreshed(Namespace namespace) {
        return elastic.refreshed(namespace.index()).isPresent();
    }

    @Override
    public Set<String> directories(Namespace namespace, Set<String> paths) {
        Namespace.Directories directories = namespace.directoryDocuments().orElse(null);
        if (directories == null || paths.isEmpty()) {
            return Set.of();
        }
        List<TreePath> wanted = paths.stream().map(namespace.notation()::path).toList();
        SearchRequestBody.Builder body = new SearchRequestBody.Builder()
                .size(MOST_HITS)
                .trackTotalHits(total -> total.enabled(true))
                .query(Queries.atOneOf(namespace, wanted));
        Queries.pathFields(body, namespace);
        SearchAnswer answer = search(namespace, body.build());
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
        SearchRequestBody body = new SearchRequestBody.Builder()
                .size(0)
                .query(Queries.of(namespace, path, Reach.AT_OR_BELOW))
                .aggregations(
                        "indices",
                        aggregation -> aggregation.terms(t -> t.field("_index").size(MOST_INDICES)))
                .build();
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
        Query[] lacking = namespace.fields().searched().stream()
                .map(field -> Query.of(q -> q.bool(b -> b.mustNot(Queries.exists(field)))))
                .toArray(Query[]::new);
        SearchRequestBody body = new SearchRequestBody.Builder()
                .size(MOST_NAMED)
                .trackTotalHits(total -> total.enabled(true))
                .source(source -> source.fetch(false))
                .query(Queries.any(lacking))
                .build();
        SearchAnswer answer = search(namespace, body);
        return new Pathless(
                answer.total(),
                answer.hits().stream().map(hit -> hit.ref().id()).toList());
    }

    private SearchAnswer search(Namespace namespace, SearchRequestBody body) {
        return SearchAnswer.of(
                elastic.raw().post("/" + namespace.index() + "/_search?allow_partial_search_results=false", body));
    }
}
