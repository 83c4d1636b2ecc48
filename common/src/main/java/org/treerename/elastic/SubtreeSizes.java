package org.treerename.elastic;

import co.elastic.clients.elasticsearch._types.aggregations.Aggregation;
import co.elastic.clients.elasticsearch._types.query_dsl.Query;
import co.elastic.clients.elasticsearch.core.search.SearchRequestBody;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.SequencedSet;
import java.util.Set;
import java.util.stream.Collectors;
import org.treerename.namespace.Namespace;
import org.treerename.path.TreePath;
import org.treerename.store.NoAnswerException;
import org.treerename.tree.TreeStore.Reach;

/**
 * Counts the documents in several parts of one tree with one search. The same search can measure the longest path of a
 * part. Each part has a filter in a {@code filters} aggregation. For this filter, Elasticsearch reads only the
 * documents of the part.
 */
final class SubtreeSizes {

    /** A part of the tree: the documents below a path, or the documents that a scan of the path finds. */
    sealed interface Extent {

        record Below(TreePath path) implements Extent {}

        record Reached(TreePath path, Reach reach) implements Extent {}
    }

    /** The unit of the length of a path. The script receives the stored name of the unit as a parameter. */
    enum Measure {
        CODE_POINTS("code_points"),
        SEGMENTS("segments");

        private final String stored;

        Measure(String stored) {
            this.stored = stored;
        }
    }

    /** The number of documents of one part, and the length of the longest path in each requested unit. */
    record Extended(long documents, Map<Measure, Integer> longest) {

        /** Returns the length of the longest path; 0 if the part has no document, or if the length was not measured. */
        int longest(Measure measure) {
            return longest.getOrDefault(measure, 0);
        }
    }

    private final Namespace namespace;
    private final SequencedMap<Extent, Set<Measure>> measuresByExtent = new LinkedHashMap<>();

    SubtreeSizes(Namespace namespace) {
        this.namespace = namespace;
    }

    void add(Extent extent) {
        add(extent, EnumSet.noneOf(Measure.class));
    }

    /**
     * Adds a part, and requests the length of its longest path in each of these units. If there is at least one unit, a
     * script runs for each document of the part.
     */
    void add(Extent extent, Set<Measure> measures) {
        measuresByExtent
                .computeIfAbsent(extent, e -> EnumSet.noneOf(Measure.class))
                .addAll(measures);
    }

    SearchRequestBody search() {
        SearchRequestBody.Builder search =
                new SearchRequestBody.Builder().size(0).trackTotalHits(total -> total.enabled(false));
        byMeasures()
                .forEach((measures, extents) ->
                        search.aggregations(name(measures), a -> aggregation(a, measures, extents)));
        return search.build();
    }

    private Aggregation.Builder.ContainerBuilder aggregation(
            Aggregation.Builder builder, Set<Measure> measures, SequencedSet<Extent> extents) {
        List<Query> queries = extents.stream().map(this::query).toList();
        Aggregation.Builder.ContainerBuilder aggregation =
                builder.filters(filters -> filters.filters(buckets -> buckets.array(queries)));
        measures.forEach(measure ->
                aggregation.aggregations(measure.stored, longest -> longest.max(max -> max.script(script(measure)))));
        return aggregation;
    }

    /** Returns the sizes of the parts from the answer to {@link #search}. */
    Map<Extent, Extended> read(SearchAnswer answer) {
        Map<Extent, Extended> read = new HashMap<>();
        byMeasures().forEach((measures, extents) -> {
            JsonNode buckets = answer.aggregations().path(name(measures)).path("buckets");
            if (buckets.size() != extents.size()) {
                throw new NoAnswerException(
                        "a search must return a bucket for each of its " + extents.size() + " filters, found buckets: "
                                + buckets.size(),
                        null);
            }
            int next = 0;
            for (Extent extent : extents) {
                read.put(extent, extended(buckets.get(next), measures));
                next++;
            }
        });
        return read;
    }

    private static Extended extended(JsonNode bucket, Set<Measure> measures) {
        Map<Measure, Integer> longest = new HashMap<>();
        measures.forEach(measure -> longest.put(
                measure, Json.field(bucket.path(measure.stored), "value").asInt()));
        return new Extended(Json.field(bucket, "doc_count").asLong(), longest);
    }

    /** Groups the parts by their requested units. Each group keeps the order in which its parts were added. */
    private SequencedMap<Set<Measure>, SequencedSet<Extent>> byMeasures() {
        SequencedMap<Set<Measure>, SequencedSet<Extent>> extents = new LinkedHashMap<>();
        measuresByExtent.forEach((extent, measures) ->
                extents.computeIfAbsent(measures, m -> new LinkedHashSet<>()).add(extent));
        return extents;
    }

    private static String name(Set<Measure> measures) {
        return measures.stream()
                .map(measure -> "_and_" + measure.stored)
                .collect(Collectors.joining("", "counted", ""));
    }

    private Query query(Extent extent) {
        return switch (extent) {
            case Extent.Below(TreePath path) -> Queries.below(namespace, path);
            case Extent.Reached(TreePath path, Reach reach) -> Queries.of(namespace, path, reach);
        };
    }

    private co.elastic.clients.elasticsearch._types.Script script(Measure measure) {
        ObjectNode params = Json.object().put("measure", measure.stored);
        namespace.fields().searched().forEach(params.putArray("fields")::add);
        params.put("separator", namespace.notation().separator())
                .put("leading", namespace.notation().leading())
                .put("quoted", namespace.notation().quoted());
        return Script.LONGEST_PATH.with(params);
    }
}
