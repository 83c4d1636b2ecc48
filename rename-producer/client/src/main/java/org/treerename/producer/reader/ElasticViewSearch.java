package org.treerename.producer.reader;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.treerename.elastic.Elastic;
import org.treerename.elastic.Json;
import org.treerename.elastic.Queries;
import org.treerename.elastic.SearchAnswer;
import org.treerename.elastic.TooLargeException;
import org.treerename.namespace.Namespace;
import org.treerename.store.NoAnswerException;
import org.treerename.store.RefusedException;
import org.treerename.tree.Document;
import org.treerename.tree.PathFields;
import org.treerename.tree.RawJson;

/** Searches for the documents of a view. It never returns a partial result. */
abstract class ElasticViewSearch implements PointInTime {

    /**
     * The maximum number of bytes of an answer. It has room for the largest document that a bulk may contain, and for
     * the JSON around it.
     */
    static final int MOST_BYTES = 24 * 1024 * 1024;

    private final Namespace namespace;
    private final Elastic elastic;

    /** @param elastic a client of the servers that receive the searches */
    ElasticViewSearch(Namespace namespace, Elastic elastic) {
        this.namespace = namespace;
        this.elastic = elastic;
    }

    final Namespace namespace() {
        return namespace;
    }

    /** Sends a search. */
    abstract Elastic.Answer send(ObjectNode body);

    /** Returns the field that orders the documents of one path; null if they have no order. */
    abstract @Nullable String tieBreaker();

    @Override
    public Batch read(Reading reading) {
        int most = reading.most();
        while (true) {
            try {
                return batch(reading, most);
            } catch (TooLargeException e) {
                if (most == 1) {
                    throw new RefusedException("a document at or below "
                            + reading.region().part().path() + " is too large to be read: " + e.getMessage());
                }
                most = Math.max(1, most / 4);
            }
        }
    }

    private Batch batch(Reading reading, int most) {
        ObjectNode body = Json.object().put("size", most).put("track_total_hits", false);
        if (reading.fields().isEmpty()) {
            Queries.whole(body, elastic);
        } else {
            reading.fields().forEach(body.putArray("_source")::add);
        }
        body.set(
                "query", query(RegionQueries.of(namespace, reading.region(), parsed(reading.query()), reading.from())));
        ArrayNode sort = body.putArray("sort");
        for (String field : namespace.fields().searched()) {
            sort.addObject().putObject(field).put("order", "asc").put("unmapped_type", "keyword");
        }
        String tieBreaker = tieBreaker();
        if (tieBreaker != null) {
            sort.add(tieBreaker);
        }
        String after = reading.after();
        if (after != null) {
            body.set("search_after", Json.read(after.getBytes(StandardCharsets.UTF_8)));
        }
        List<Found> found = new ArrayList<>();
        search(body).hits().forEach(hit -> found.add(found(hit)));
        return new Batch(found, found.size() < most);
    }

    private Found found(SearchAnswer.Hit hit) {
        JsonNode sort = Json.read(hit.sort().bytes());
        List<String> key = new ArrayList<>();
        for (int i = 0; i < namespace.fields().searched().size(); i++) {
            key.add(sort.path(i).asText());
        }
        String searchedPath =
                key.size() == 1 ? key.getFirst() : namespace.notation().childOf(key.getFirst(), key.getLast());
        String path = PathFields.path(namespace, hit.source()).orElse(searchedPath);
        return new Found(new Document(hit.ref(), path, hit.source()), key, sort.toString());
    }

    @Override
    public List<Long> count(List<List<Region>> groups, @Nullable RawJson query) {
        ObjectNode body = Json.object().put("size", 0).put("track_total_hits", false);
        JsonNode parsed = parsed(query);
        body.set("query", query(parsed == null ? Json.object().set("match_all", Json.object()) : parsed));
        ArrayNode filters =
                body.putObject("aggs").putObject("groups").putObject("filters").putArray("filters");
        groups.stream()
                .filter(group -> !group.isEmpty())
                .forEach(group -> filters.add(RegionQueries.any(namespace, group)));
        List<Long> counts = new ArrayList<>();
        JsonNode buckets = filters.isEmpty()
                ? filters
                : Json.field(search(body).aggregations().path("groups"), "buckets");
        int next = 0;
        for (List<Region> group : groups) {
            counts.add(
                    group.isEmpty()
                            ? 0L
                            : Json.field(buckets.path(next++), "doc_count").asLong());
        }
        return counts;
    }

    /** Returns the query to send for a given query. A subclass may restrict it. */
    JsonNode query(JsonNode query) {
        return query;
    }

    private static @Nullable JsonNode parsed(@Nullable RawJson query) {
        return query == null ? null : Json.read(query.bytes());
    }

    private SearchAnswer search(ObjectNode body) {
        Elastic.Answer answer = send(body);
        if (answer.status() == 404) {
            throw new RefusedException("there is no index or alias " + namespace.index());
        }
        if (!answer.isOk()) {
            throw new NoAnswerException("a search of " + namespace.index() + " failed: " + answer.json(), null);
        }
        SearchAnswer page = SearchAnswer.of(answer);
        answered(page);
        return page;
    }

    /** Called with each answer. */
    void answered(SearchAnswer answer) {}
}
