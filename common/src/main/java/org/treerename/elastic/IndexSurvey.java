package org.treerename.elastic;

import co.elastic.clients.elasticsearch._types.query_dsl.Query;
import co.elastic.clients.elasticsearch.core.search.SearchRequestBody;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.treerename.store.NoAnswerException;
import org.treerename.store.RefusedException;

/** Reads an index or alias that may become the index of a namespace. This class changes nothing. */
public final class IndexSurvey {

    /** The maximum number of bytes of one answer. */
    private static final int MOST_BYTES = 64 * 1024 * 1024;

    /**
     * Some documents of an index.
     *
     * @param total the number of all documents of the index
     * @param documents the documents, in no defined order
     */
    public record Sample(long total, List<JsonNode> documents) {
        public Sample {
            documents = List.copyOf(documents);
        }
    }

    private final Elastic elastic;

    public IndexSurvey(Elastic elastic) {
        this.elastic = elastic;
    }

    /**
     * Returns the mappings, settings and aliases of the concrete indices behind a name. The keys are the names of the
     * concrete indices. Returns empty if no index or alias has this name.
     *
     * @throws RefusedException if this process lacks a privilege
     */
    public Optional<JsonNode> indices(String name) {
        Elastic.Answer answer = elastic.raw().get("/" + name + "?include_defaults=true");
        return answer.isOk() ? Optional.of(answer.json()) : Optional.empty();
    }

    /** Returns at most {@code most} random documents. Returns fewer documents if the documents are large. */
    public Sample sample(String name, int most) {
        return search(
                name,
                Query.of(q -> q.functionScore(score -> score.functions(f -> f.randomScore(random -> random)))),
                most);
    }

    /** Returns documents that contain one of these texts in a field. */
    public List<JsonNode> having(String name, String field, Collection<String> texts, int most) {
        return search(name, Queries.terms(field, texts.stream()), most).documents();
    }

    private Sample search(String name, Query query, int most) {
        for (int size = most; ; size = size / 4) {
            SearchRequestBody body = all(query, size);
            try {
                SearchAnswer answer = SearchAnswer.of(elastic.raw().post(searchOf(name), body, MOST_BYTES));
                return new Sample(
                        answer.total(),
                        answer.hits().stream()
                                .map(hit -> Json.read(hit.source().bytes()))
                                .toList());
            } catch (TooLargeException e) {
                if (size == 0) {
                    throw new NoAnswerException(
                            "the answer to a search of " + name + " has too many bytes, even without documents", e);
                }
            }
        }
    }

    private static SearchRequestBody all(Query query, int size) {
        return SearchRequestBody.of(search ->
                search.size(size).trackTotalHits(total -> total.enabled(true)).query(query));
    }

    /** Returns the number of all documents of an index or alias. */
    public long count(String name) {
        return count(name, Query.of(q -> q.matchAll(all -> all)));
    }

    /** Returns the number of documents that match a query in JSON. */
    public long count(String name, JsonNode query) {
        return count(name, Queries.given(Json.bytes(query)));
    }

    private long count(String name, Query query) {
        return SearchAnswer.of(elastic.raw().post(searchOf(name), all(query, 0)))
                .total();
    }

    /**
     * Returns how many more values than documents a field has. The result is 0 if each document has at most one value.
     */
    public long surplus(String name, String field) {
        SearchRequestBody body = SearchRequestBody.of(search -> search.size(0)
                .trackTotalHits(total -> total.enabled(true))
                .query(Queries.exists(field))
                .aggregations(field, values -> values.valueCount(count -> count.field(field))));
        SearchAnswer answer = SearchAnswer.of(elastic.raw().post(searchOf(name), body));
        return Json.field(answer.aggregations().path(field), "value").asLong() - answer.total();
    }

    private static String searchOf(String name) {
        return "/" + name + "/_search?allow_partial_search_results=false";
    }

    /**
     * Returns the field that contains this sub-field in one concrete index; empty if the name is not the name of a
     * sub-field.
     */
    public static Optional<String> ofSubField(JsonNode index, String name) {
        return MappedField.ofSubField(index.path("mappings"), name);
    }

    /**
     * Returns the type of a field in one concrete index; empty if the field is not mapped, is a sub-field, or is inside
     * a nested or disabled object.
     */
    public static Optional<String> type(JsonNode index, String field) {
        return MappedField.find(index.path("mappings"), field)
                .map(found -> found.mapping().path("type").asText(""));
    }
}
