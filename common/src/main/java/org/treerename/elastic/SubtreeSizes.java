package org.treerename.elastic;

import co.elastic.clients.elasticsearch._types.aggregations.Aggregation;
import co.elastic.clients.elasticsearch._types.query_dsl.Query;
import co.elastic.clients.elasticsearch.core.search.SearchRequestBody;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.SequencedSet;
import java.util.Set;
import org.treerename.namespace.Namespace;
import org.treerename.path.TreePath;
import org.treerename.store.NoAnswerException;
import org.treerename.tree.TreeStore.Reach;

/**
 * Counts the documents in several parts of one tree with one search. Each part has a filter in a {@code filters}
 * aggregation. For this filter, Elasticsearch reads only the documents of the part. A separate search measures the
 * longest path below a directory.
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

    /**
     * The number of documents of one part.
     *
     * @param values the number of values in the path fields of these documents; 0 if they were not counted
     */
    record Extended(long documents, long values) {}

    /**
     * The longest time for which one search measures paths. A script reads each path, so a very large directory would
     * take longer than the timeout of a request, while the rename holds its locks. Then the length is unknown, and a
     * document whose new path is too long is found only when it is its turn to move.
     */
    private static final int LONGEST_MILLIS = 5_000;

    /** The longest time of all measures in one request, if Elasticsearch makes them one after the other. */
    private static final int LONGEST_MILLIS_OF_ALL = 20_000;

    private static final String COUNTED = "counted";
    private static final String EXAMINED = "examined";

    private final Namespace namespace;
    private final SequencedSet<Extent> counted = new LinkedHashSet<>();
    private final SequencedSet<Extent> examined = new LinkedHashSet<>();
    private final SequencedMap<TreePath, Set<Measure>> measured = new LinkedHashMap<>();

    SubtreeSizes(Namespace namespace) {
        this.namespace = namespace;
    }

    void add(Extent extent) {
        counted.add(extent);
    }

    /** Adds the documents below a path. Also counts the values in their path fields, and measures their paths. */
    void examine(TreePath path, Set<Measure> measures) {
        examined.add(new Extent.Below(path));
        if (!measures.isEmpty()) {
            measured.computeIfAbsent(path, p -> EnumSet.noneOf(Measure.class)).addAll(measures);
        }
    }

    SearchRequestBody counts() {
        SearchRequestBody.Builder search = empty();
        if (!counted.isEmpty()) {
            search.aggregations(COUNTED, a -> filters(a, counted));
        }
        if (!examined.isEmpty()) {
            search.aggregations(EXAMINED, a -> {
                Aggregation.Builder.ContainerBuilder aggregation = filters(a, examined);
                namespace
                        .fields()
                        .searched()
                        .forEach(field -> aggregation.aggregations(
                                field, values -> values.valueCount(count -> count.field(field))));
                return aggregation;
            });
        }
        return search.build();
    }

    /** Returns one search for each measured path. A search that takes too long returns an incomplete result. */
    List<SearchRequestBody> measures() {
        int millis = Math.min(LONGEST_MILLIS, LONGEST_MILLIS_OF_ALL / Math.max(1, measured.size()));
        return measured.entrySet().stream()
                .map(path -> {
                    SearchRequestBody.Builder search =
                            empty().timeout(millis + "ms").query(Queries.below(namespace, path.getKey()));
                    path.getValue()
                            .forEach(measure -> search.aggregations(
                                    measure.stored, longest -> longest.max(max -> max.script(script(measure)))));
                    return search.build();
                })
                .toList();
    }

    private static SearchRequestBody.Builder empty() {
        return new SearchRequestBody.Builder().size(0).trackTotalHits(total -> total.enabled(false));
    }

    private Aggregation.Builder.ContainerBuilder filters(Aggregation.Builder builder, Set<Extent> extents) {
        List<Query> queries = extents.stream().map(this::query).toList();
        return builder.filters(filters -> filters.filters(buckets -> buckets.array(queries)));
    }

    /** Returns the sizes of the parts from the answer to {@link #counts}. */
    Map<Extent, Extended> read(SearchAnswer answer) {
        Map<Extent, Extended> read = new HashMap<>();
        read(answer, COUNTED, counted, read);
        read(answer, EXAMINED, examined, read);
        return read;
    }

    private void read(SearchAnswer answer, String name, Set<Extent> extents, Map<Extent, Extended> read) {
        JsonNode buckets = answer.aggregations().path(name).path("buckets");
        if (buckets.size() != extents.size()) {
            throw new NoAnswerException(
                    "a search must return a bucket for each of its " + extents.size() + " filters, found buckets: "
                            + buckets.size(),
                    null);
        }
        Iterator<JsonNode> next = buckets.iterator();
        extents.forEach(extent -> read.put(extent, extended(next.next(), name.equals(EXAMINED))));
    }

    private Extended extended(JsonNode bucket, boolean isExamined) {
        long values = 0;
        if (isExamined) {
            for (String field : namespace.fields().searched()) {
                values += Json.field(bucket.path(field), "value").asLong();
            }
        }
        return new Extended(Json.field(bucket, "doc_count").asLong(), values);
    }

    /**
     * Returns the length of the longest path below each measured path, by unit, from the answers to {@link #measures}.
     * A path whose search took too long is left out.
     */
    Map<TreePath, Map<Measure, Integer>> longest(List<SearchAnswer> answers) {
        Map<TreePath, Map<Measure, Integer>> longest = new HashMap<>();
        Iterator<SearchAnswer> next = answers.iterator();
        measured.forEach((path, measures) -> {
            SearchAnswer answer = next.next();
            if (!answer.hasTimedOut()) {
                JsonNode lengths = answer.complete().aggregations();
                Map<Measure, Integer> byMeasure = new HashMap<>();
                measures.forEach(measure -> byMeasure.put(
                        measure,
                        Json.field(lengths.path(measure.stored), "value").asInt()));
                longest.put(path, byMeasure);
            }
        });
        return longest;
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
