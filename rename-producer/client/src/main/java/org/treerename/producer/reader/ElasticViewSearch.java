package org.treerename.producer.reader;

import co.elastic.clients.elasticsearch._types.SortOptions;
import co.elastic.clients.elasticsearch._types.SortOrder;
import co.elastic.clients.elasticsearch._types.mapping.FieldType;
import co.elastic.clients.elasticsearch._types.query_dsl.Query;
import co.elastic.clients.elasticsearch.core.search.SearchRequestBody;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
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

/** Searches for the documents of a view. Never returns a partial result. */
abstract class ElasticViewSearch implements PointInTime {

    /**
     * The maximum number of bytes in an answer. The limit permits the largest document that a bulk may contain, and the
     * JSON around the document.
     */
    static final int MOST_BYTES = 24 * 1024 * 1024;

    private static final List<String> TIMED_OUT = List.of("Time exceeded", "timed out: true");

    private final Namespace namespace;
    private final Elastic elastic;
    private final SearchLimits limits;

    /** @param elastic a client of the servers that receive the searches */
    ElasticViewSearch(Namespace namespace, Elastic elastic, SearchLimits limits) {
        this.namespace = namespace;
        this.elastic = elastic;
        this.limits = limits;
    }

    final Namespace namespace() {
        return namespace;
    }

    /** Sends a search, in a point in time or without a point in time. */
    abstract Elastic.Answer send(SearchRequestBody.Builder search);

    /** Sends a search to a path, within the limits. */
    final Elastic.Answer post(Elastic node, String path, SearchRequestBody.Builder search) {
        if (!limits.time().isZero()) {
            search.timeout(limits.time().toMillis() + "ms");
        }
        return node.raw()
                .post(path + "?allow_partial_search_results=false", search.build(), MOST_BYTES, limits.counter());
    }

    /** Returns the field that orders documents with the same path; null if these documents have no order. */
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
        SearchRequestBody.Builder search = new SearchRequestBody.Builder()
                .size(most)
                .trackTotalHits(total -> total.enabled(false))
                .query(query(RegionQueries.of(namespace, reading.region(), given(reading.query()), reading.from())))
                .sort(order());
        if (reading.fields().isEmpty()) {
            Queries.whole(search, elastic);
        } else {
            Queries.fields(search, reading.fields());
        }
        String after = reading.after();
        if (after != null) {
            search.searchAfter(Queries.after(position(after)));
        }
        List<Found> found = new ArrayList<>();
        search(search).hits().forEach(hit -> found.add(found(hit)));
        return new Batch(found, found.size() < most);
    }

    private List<SortOptions> order() {
        List<SortOptions> order = new ArrayList<>();
        for (String field : namespace.fields().searched()) {
            order.add(SortOptions.of(
                    sort -> sort.field(f -> f.field(field).order(SortOrder.Asc).unmappedType(FieldType.Keyword))));
        }
        String tieBreaker = tieBreaker();
        if (tieBreaker != null) {
            order.add(Queries.by(tieBreaker, SortOrder.Asc));
        }
        return order;
    }

    private byte[] position(String after) {
        byte[] bytes = after.getBytes(StandardCharsets.UTF_8);
        if (!isPosition(bytes)) {
            throw new IllegalArgumentException(
                    "the position of the page belongs to another search; request the first page again");
        }
        return bytes;
    }

    private boolean isPosition(byte[] bytes) {
        JsonNode sort;
        try {
            sort = Json.MAPPER.readTree(bytes);
        } catch (IOException e) {
            return false;
        }
        int keys = namespace.fields().searched().size();
        boolean isPosition = sort.isArray() && sort.size() == keys + (tieBreaker() == null ? 0 : 1);
        for (int i = 0; i < sort.size(); i++) {
            JsonNode value = sort.path(i);
            isPosition &= i < keys ? value.isTextual() || value.isNull() : value.isIntegralNumber();
        }
        return isPosition;
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
        List<Query> filters = groups.stream()
                .filter(group -> !group.isEmpty())
                .map(group -> RegionQueries.any(namespace, group))
                .toList();
        List<Long> counts = new ArrayList<>();
        JsonNode buckets = filters.isEmpty() ? Json.object() : buckets(filters, given(query));
        int next = 0;
        for (List<Region> group : groups) {
            counts.add(
                    group.isEmpty()
                            ? 0L
                            : Json.field(buckets.path(next++), "doc_count").asLong());
        }
        return counts;
    }

    private JsonNode buckets(List<Query> filters, @Nullable Query query) {
        SearchRequestBody.Builder search = new SearchRequestBody.Builder()
                .size(0)
                .trackTotalHits(total -> total.enabled(false))
                .query(query(query == null ? Query.of(q -> q.matchAll(all -> all)) : query))
                .aggregations("groups", groups -> groups.filters(f -> f.filters(buckets -> buckets.array(filters))));
        return Json.field(search(search).aggregations().path("groups"), "buckets");
    }

    /** Returns the query that is sent for a given query. A subclass may add restrictions. */
    Query query(Query query) {
        return query;
    }

    private static @Nullable Query given(@Nullable RawJson query) {
        return query == null ? null : Queries.given(query.bytes());
    }

    private SearchAnswer search(SearchRequestBody.Builder search) {
        try {
            return answer(search);
        } catch (NoAnswerException e) {
            String message = String.valueOf(e.getMessage());
            if (limits.time().isZero() || TIMED_OUT.stream().noneMatch(message::contains)) {
                throw e;
            }
            throw new SlowSearchException("a search of " + namespace.index() + " took longer than "
                    + limits.time().toMillis() + " ms, so Elasticsearch has stopped it");
        }
    }

    private SearchAnswer answer(SearchRequestBody.Builder search) {
        Elastic.Answer answer = send(search);
        if (answer.status() == 404) {
            throw new RefusedException("there is no index or alias " + namespace.index()
                    + "; create it, or correct the definition of the namespace " + namespace.name());
        }
        if (!answer.isOk()) {
            throw new NoAnswerException("a search of " + namespace.index() + " failed: " + answer.json(), null);
        }
        SearchAnswer page = SearchAnswer.of(answer);
        answered(page);
        return page;
    }

    /** Receives each answer to a search. */
    void answered(SearchAnswer answer) {}
}
