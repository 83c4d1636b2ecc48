package org.treerename.elastic;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
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
 * Counts the documents in several parts of one tree, and measures their longest paths, by one search. Each part is a filter of a {@code
 * filters} aggregation. For a filter Elasticsearch reads only the documents of its part.
 */
final class SubtreeSizes {

    /** A part of the tree. */
    sealed interface Extent {

        record Below(TreePath path) implements Extent {}

        record Reached(TreePath path, Reach reach) implements Extent {}
    }

    /** The unit of the length of a path. The script knows the unit by its stored name. */
    enum Measure {
        CODE_POINTS("code_points"),
        SEGMENTS("segments");

        private final String stored;

        Measure(String stored) {
            this.stored = stored;
        }
    }

    /** The size of one part. */
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

    /** Adds a part and measures its longest path too. A script runs for each document of the part. */
    void add(Extent extent, Set<Measure> measures) {
        measuresByExtent
                .computeIfAbsent(extent, e -> EnumSet.noneOf(Measure.class))
                .addAll(measures);
    }

    ObjectNode search() {
        ObjectNode search = Json.object().put("size", 0).put("track_total_hits", false);
        ObjectNode aggregations = search.putObject("aggs");
        byMeasures().forEach((measures, extents) -> {
            ObjectNode aggregation = aggregations.putObject(name(measures));
            ArrayNode filters = aggregation.putObject("filters").putArray("filters");
            extents.forEach(extent -> filters.add(query(extent)));
            measures.forEach(measure -> aggregation
                    .withObjectProperty("aggs")
                    .putObject(measure.stored)
                    .putObject("max")
                    .set("script", script(measure)));
        });
        return search;
    }

    /** Reads the answer to {@link #search}. */
    Map<Extent, Extended> read(SearchAnswer answer) {
        Map<Extent, Extended> read = new HashMap<>();
        byMeasures().forEach((measures, extents) -> {
            JsonNode buckets = answer.aggregations().path(name(measures)).path("buckets");
            if (buckets.size() != extents.size()) {
                throw new NoAnswerException(
                        "a search must return a bucket for each of its " + extents.size() + " filters, found "
                                + buckets.size() + " buckets",
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

    /** Returns the parts grouped by their measures. Each group keeps the order of the parts. */
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

    private JsonNode query(Extent extent) {
        return switch (extent) {
            case Extent.Below(TreePath path) -> Queries.below(namespace, path);
            case Extent.Reached(TreePath path, Reach reach) -> Queries.of(namespace, path, reach);
        };
    }

    private JsonNode script(Measure measure) {
        ObjectNode params = Json.object().put("measure", measure.stored);
        namespace.fields().searched().forEach(params.putArray("fields")::add);
        params.put("separator", namespace.notation().separator())
                .put("leading", namespace.notation().leading())
                .put("quoted", namespace.notation().quoted());
        return Script.LONGEST_PATH.with(params);
    }
}
