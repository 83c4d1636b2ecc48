package org.treerename.elastic;

import co.elastic.clients.elasticsearch._types.FieldValue;
import co.elastic.clients.elasticsearch._types.SortOptions;
import co.elastic.clients.elasticsearch._types.SortOrder;
import co.elastic.clients.elasticsearch._types.query_dsl.Query;
import co.elastic.clients.elasticsearch.core.search.SearchRequestBody;
import co.elastic.clients.json.JsonData;
import co.elastic.clients.util.ApiTypeHelper;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.treerename.elastic.SearchAnswer.Hit;
import org.treerename.store.NoAnswerException;
import org.treerename.store.RefusedException;
import org.treerename.store.Version;
import org.treerename.store.Versioned;

/**
 * Searches the control index. Each search runs after a refresh, on the node that executed the refresh. So a search
 * sees every write that was acknowledged before the search. A partial result is treated as no answer.
 */
final class ControlSearch {

    private static final int PAGE = 1_000;

    private static final int MOST_VALUES = 10_000;

    private static final String KEEP_ALIVE = "5m";

    /** A query for the documents whose protocol version this process supports. */
    static final Query READABLE = Queries.range("protocol", range -> range.lte(JsonData.of(ControlIndex.PROTOCOL)));

    private static final List<SortOptions> UNORDERED = ApiTypeHelper.undefinedList();

    private final String name;
    private final Supplier<Elastic> refreshed;

    /**
     * @param name the name of the control index
     * @param refreshed refreshes the control index and returns the node that executed the refresh
     */
    ControlSearch(String name, Supplier<Elastic> refreshed) {
        this.name = name;
        this.refreshed = refreshed;
    }

    /** Returns a query for the documents of one kind that contain one of these values in a field. */
    static Query having(String kind, String field, Stream<String> values) {
        return Queries.all(Queries.term("kind", kind), Queries.terms(field, values));
    }

    /** Returns the first matching documents in the order of a date field. */
    List<Versioned<JsonNode>> first(Query query, String date, SortOrder order, int most) {
        return next(query, List.of(Queries.by(date, order)), Queries.START, most);
    }

    /**
     * Returns the next page of the matching documents.
     *
     * @param sort the fields that define the order; no two documents have the same values in these fields
     * @param after the values of these fields in the last document of the previous page; {@link Queries#START} for the
     *     first page
     */
    List<Versioned<JsonNode>> next(Query query, List<SortOptions> sort, List<FieldValue> after, int most) {
        SearchRequestBody search = page(query, most)
                .seqNoPrimaryTerm(true)
                .sort(sort)
                .searchAfter(after)
                .build();
        return hits(refreshed.get(), path(), search).stream()
                .map(hit -> new Versioned<>(source(hit), version(hit)))
                .toList();
    }

    /** Counts the matching documents for each value of a field. */
    Map<String, Long> counted(Query query, String field) {
        SearchRequestBody search = page(query, 0)
                .aggregations(
                        "values",
                        aggregation -> aggregation.terms(t -> t.field(field).size(MOST_VALUES)))
                .build();
        JsonNode aggregations = answer(refreshed.get(), path(), search).aggregations();
        Map<String, Long> counted = new HashMap<>();
        Json.field(aggregations.path("values"), "buckets")
                .forEach(bucket -> counted.put(
                        Json.field(bucket, "key").asText(),
                        Json.field(bucket, "doc_count").asLong()));
        return counted;
    }

    /** Returns all matching documents, in their state at one moment. */
    List<JsonNode> all(Query query) {
        List<JsonNode> found = new ArrayList<>();
        each(query, PAGE, found::add);
        return found;
    }

    /**
     * Passes each matching document to a consumer. Only one page, with at most {@code most} documents, is in memory.
     */
    void each(Query query, int most, Consumer<JsonNode> consumer) {
        eachPage(() -> page(query, most), most, UNORDERED, page -> page.forEach(hit -> consumer.accept(source(hit))));
    }

    /** Passes the ids of all matching documents to a consumer, page by page, in no defined order. */
    void eachPageOfIds(Query query, Consumer<List<String>> consumer) {
        eachPage(() -> pageOfIds(query), PAGE, UNORDERED, page -> consumer.accept(ids(page)));
    }

    /**
     * Returns the ids of all matching documents, ordered by these fields. No two documents may have the same value in
     * the last field.
     */
    List<String> ids(Query query, String... fields) {
        List<SortOptions> sort =
                Stream.of(fields).map(field -> Queries.by(field, SortOrder.Asc)).toList();
        List<String> found = new ArrayList<>();
        eachPage(() -> pageOfIds(query), PAGE, sort, page -> found.addAll(ids(page)));
        return found;
    }

    private static SearchRequestBody.Builder page(Query query, int size) {
        return new SearchRequestBody.Builder().size(size).query(query);
    }

    private static SearchRequestBody.Builder pageOfIds(Query query) {
        return page(query, PAGE).source(source -> source.fetch(false));
    }

    private static List<String> ids(List<Hit> page) {
        return page.stream().map(hit -> hit.ref().id()).toList();
    }

    private void eachPage(
            Supplier<SearchRequestBody.Builder> search,
            int size,
            List<SortOptions> sort,
            Consumer<List<Hit>> consumer) {
        Elastic node = refreshed.get();
        List<Hit> page = hits(node, path(), search.get().sort(sort).build());
        if (page.size() < size) {
            consumer.accept(page);
            return;
        }
        String pit = node.openPointInTime(name, KEEP_ALIVE)
                .orElseThrow(() -> new NoAnswerException("there is no control index " + name, null));
        try {
            List<SortOptions> order = sort.isEmpty() ? List.of(Queries.by("_shard_doc", SortOrder.Asc)) : sort;
            List<FieldValue> after = Queries.START;
            do {
                SearchRequestBody next = search.get()
                        .sort(order)
                        .searchAfter(after)
                        .pit(p -> p.id(pit).keepAlive(time -> time.time(KEEP_ALIVE)))
                        .build();
                page = hitsOfPointInTime(node, next);
                consumer.accept(page);
                after = page.isEmpty() ? after : Queries.after(page.getLast());
            } while (page.size() >= size);
        } finally {
            node.closePointInTime(pit);
        }
    }

    /** The query has already returned a page, so a refusal now means that the index has become unavailable. */
    private List<Hit> hitsOfPointInTime(Elastic node, SearchRequestBody search) {
        try {
            return hits(node, "/_search", search);
        } catch (RefusedException e) {
            throw new NoAnswerException(
                    "a search in a point in time of " + name + " was refused: " + e.getMessage(), e);
        }
    }

    private String path() {
        return "/" + name + "/_search";
    }

    private List<Hit> hits(Elastic node, String path, SearchRequestBody search) {
        return answer(node, path, search).hits();
    }

    private SearchAnswer answer(Elastic node, String path, SearchRequestBody search) {
        Elastic.Answer answer = node.raw().post(path + "?allow_partial_search_results=false", search);
        if (!answer.isOk()) {
            throw new NoAnswerException("a search of " + name + " failed: " + answer.json(), null);
        }
        return SearchAnswer.of(answer);
    }

    private static Version version(Hit hit) {
        Version version = hit.ref().version();
        if (version.seqNo() < 0 || version.primaryTerm() < 0) {
            throw new NoAnswerException(
                    "a search returned no version of the document " + hit.ref().id(), null);
        }
        return version;
    }

    private static JsonNode source(Hit hit) {
        JsonNode source = Json.read(hit.source().bytes());
        if (!source.isObject()) {
            throw new NoAnswerException(
                    "a search returned no content of the document " + hit.ref().id(), null);
        }
        return source;
    }
}
