package org.treerename.elastic;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.treerename.path.Namespace;
import org.treerename.reader.PointInTime;
import org.treerename.reader.Region;
import org.treerename.reader.ViewExpiredException;
import org.treerename.rename.Document;
import org.treerename.rename.PathFields;
import org.treerename.rename.RawJson;
import org.treerename.store.NoAnswerException;
import org.treerename.store.RefusedException;

/**
 * A point in time of Elasticsearch; every answer is strict. Its id comes back from clients, so each search also names the namespace's index: the point in
 * time of another index shows nothing.
 */
final class ElasticPointInTime implements PointInTime {

    /** From one question to the next. */
    static final String KEEP_ALIVE = "1m";

    /** Of an answer: the largest document that Elasticsearch's bulks carry, and what is around it. */
    private static final int MOST_BYTES = 24 * 1024 * 1024;

    private static final Logger log = LoggerFactory.getLogger(ElasticPointInTime.class);

    private final Elastic elastic;
    private final Namespace namespace;
    private String id;
    private boolean isClosed;

    ElasticPointInTime(Elastic elastic, Namespace namespace, String id) {
        this.elastic = elastic;
        this.namespace = namespace;
        this.id = id;
    }

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
            Queries.whole(body);
        } else {
            reading.fields().forEach(body.putArray("_source")::add);
        }
        body.set(
                "query",
                ofThisTree(RegionQueries.of(namespace, reading.region(), parsed(reading.query()), reading.from())));
        ArrayNode sort = body.putArray("sort");
        for (String field : namespace.fields().searched()) {
            sort.addObject().putObject(field).put("order", "asc").put("unmapped_type", "keyword");
        }
        sort.add("_shard_doc");
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
        String shown = key.size() == 1 ? key.getFirst() : namespace.notation().childOf(key.getFirst(), key.getLast());
        String path = PathFields.path(namespace, hit.source()).orElse(shown);
        return new Found(new Document(hit.ref(), path, hit.source()), key, sort.toString());
    }

    @Override
    public List<Long> count(List<List<Region>> groups, @Nullable RawJson query) {
        ObjectNode body = Json.object().put("size", 0).put("track_total_hits", false);
        JsonNode parsed = parsed(query);
        body.set("query", ofThisTree(parsed == null ? Json.object().set("match_all", Json.object()) : parsed));
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

    private JsonNode ofThisTree(JsonNode query) {
        return Queries.all(query, Queries.term("_index", namespace.index()));
    }

    private static @Nullable JsonNode parsed(@Nullable RawJson query) {
        return query == null ? null : Json.read(query.bytes());
    }

    private SearchAnswer search(ObjectNode body) {
        body.putObject("pit").put("id", id).put("keep_alive", KEEP_ALIVE);
        Elastic.Answer answer = elastic.post("/_search?allow_partial_search_results=false", body, MOST_BYTES);
        if (answer.status() == 404 && isExpired(answer)) {
            throw new ViewExpiredException(
                    "Elasticsearch has closed the view of " + namespace.name() + ": it is kept for " + KEEP_ALIVE
                            + " from one question to the next; ask again from the first page");
        }
        if (answer.status() == 404) {
            throw new RefusedException("there is no index or alias " + namespace.index());
        }
        if (!answer.isOk()) {
            throw new NoAnswerException("a search of " + namespace.index() + " answered " + answer.json(), null);
        }
        SearchAnswer page = SearchAnswer.of(answer);
        String next = page.pitId();
        if (next != null) {
            id = next;
        }
        return page;
    }

    private static boolean isExpired(Elastic.Answer answer) {
        return new String(answer.body(), StandardCharsets.UTF_8).contains("search_context_missing_exception");
    }

    @Override
    public String id() {
        return id;
    }

    /** Elasticsearch closes it by itself after its keep-alive, so a failure is only logged. */
    @Override
    public void close() {
        if (isClosed) {
            return;
        }
        isClosed = true;
        try {
            elastic.delete("/_pit", Json.object().put("id", id));
        } catch (RuntimeException e) {
            log.debug(
                    "a point in time of {} was not closed: {}; Elasticsearch closes it after {}",
                    namespace.index(),
                    e.getMessage(),
                    KEEP_ALIVE);
        }
    }
}
