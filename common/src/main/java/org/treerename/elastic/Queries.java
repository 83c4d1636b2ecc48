package org.treerename.elastic;

import co.elastic.clients.elasticsearch._types.FieldValue;
import co.elastic.clients.elasticsearch._types.SortOptions;
import co.elastic.clients.elasticsearch._types.SortOrder;
import co.elastic.clients.elasticsearch._types.query_dsl.Query;
import co.elastic.clients.elasticsearch._types.query_dsl.UntypedRangeQuery;
import co.elastic.clients.elasticsearch.core.search.SearchRequestBody;
import co.elastic.clients.json.JsonData;
import co.elastic.clients.util.ApiTypeHelper;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collection;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.treerename.namespace.Fields;
import org.treerename.namespace.Namespace;
import org.treerename.namespace.VersionOwner;
import org.treerename.path.TreePath;
import org.treerename.tree.TreeStore.Reach;

/** Builds queries, and selects the fields and the versions of documents that a search returns. */
public final class Queries {

    /** The position before the first document of a search. */
    public static final List<FieldValue> START = ApiTypeHelper.undefinedList();

    private Queries() {}

    static Query of(Namespace namespace, TreePath path, Reach reach) {
        return reach == Reach.AT ? at(namespace, path) : any(at(namespace, path), below(namespace, path));
    }

    /** Makes a search return whole documents. Since version 9.2, Elasticsearch omits vectors by default. */
    public static void whole(SearchRequestBody.Builder search, Elastic elastic) {
        if (elastic.knowsExcludeVectors()) {
            search.source(source -> source.filter(filter -> filter.excludeVectors(false)));
        }
    }

    /** Makes a search return only these fields of the documents. */
    public static void fields(SearchRequestBody.Builder search, List<String> fields) {
        search.source(source -> source.filter(filter -> filter.includes(fields)));
    }

    /** Makes a search return only the fields that contain the path or the kind of a document. */
    static void pathFields(SearchRequestBody.Builder search, Namespace namespace) {
        List<String> fields = new ArrayList<>(namespace.fields().pathFields());
        namespace.directoryDocuments().ifPresent(directories -> fields.add(directories.field()));
        fields(search, fields);
    }

    /** Makes a search return the versions of the documents. Later conditional writes need these versions. */
    static void versions(SearchRequestBody.Builder search, Namespace namespace) {
        search.seqNoPrimaryTerm(true);
        if (namespace.rules().version() != VersionOwner.SEQ_NO) {
            search.version(true);
        }
    }

    public static Query at(Namespace namespace, TreePath path) {
        Fields fields = namespace.fields();
        return switch (fields.holds()) {
            case PATH -> term(searched(fields), path.text());
            case DIRECTORY ->
                all(term(searched(fields), path.parent().text()), term(String.valueOf(fields.name()), path.name()));
        };
    }

    /**
     * Returns a query for the documents at these paths. If documents store directory and name separately, the query may
     * match additional documents. Such a document has the directory of one path and the name of another path.
     */
    static Query atOneOf(Namespace namespace, Collection<TreePath> paths) {
        Fields fields = namespace.fields();
        return switch (fields.holds()) {
            case PATH -> terms(searched(fields), paths.stream().map(TreePath::text));
            case DIRECTORY ->
                all(
                        terms(
                                searched(fields),
                                paths.stream().map(path -> path.parent().text())),
                        terms(String.valueOf(fields.name()), paths.stream().map(TreePath::name)));
        };
    }

    public static Query below(Namespace namespace, TreePath path) {
        Fields fields = namespace.fields();
        Query range = range(searched(fields), path.prefixOfBelow());
        return switch (fields.holds()) {
            case PATH -> range;
            case DIRECTORY -> any(term(searched(fields), path.text()), range);
        };
    }

    private static String searched(Fields fields) {
        return fields.searched().getFirst();
    }

    /**
     * Returns a query for the documents in which the value of a field begins with a prefix. The prefix ends with a
     * separator, or is empty. The query is a range query, because Elasticsearch refuses a prefix query with more than
     * 1,000 characters ({@code index.max_regex_length}). The range begins with the prefix and ends before the result of
     * {@link #behind}.
     */
    static Query range(String field, String prefix) {
        return prefix.isEmpty()
                ? range(field, r -> r.gt(JsonData.of("")))
                : range(field, r -> r.gte(JsonData.of(prefix)).lt(JsonData.of(behind(prefix))));
    }

    /** Returns a query for the documents in which the value of a field is within limits. */
    public static Query range(String field, UnaryOperator<UntypedRangeQuery.Builder> limits) {
        return Query.of(q -> q.range(r -> r.untyped(u -> limits.apply(u.field(field)))));
    }

    /**
     * Returns the first text that sorts after every text with this prefix. This method replaces the last character of
     * the prefix by the next character in Unicode.
     */
    static String behind(String prefix) {
        int last = prefix.length() - 1;
        return prefix.substring(0, last) + (char) (prefix.charAt(last) + 1);
    }

    public static Query term(String field, String text) {
        return Query.of(q -> q.term(t -> t.field(field).value(text)));
    }

    static Query terms(String field, Stream<String> texts) {
        List<FieldValue> values = texts.distinct().map(FieldValue::of).toList();
        return Query.of(q -> q.terms(t -> t.field(field).terms(v -> v.value(values))));
    }

    static Query exists(String field) {
        return Query.of(q -> q.exists(e -> e.field(field)));
    }

    public static Query any(Query... queries) {
        return Query.of(q -> q.bool(b -> b.should(List.of(queries))));
    }

    public static Query all(Query... queries) {
        return Query.of(q -> q.bool(b -> b.filter(List.of(queries))));
    }

    public static Query none(Query... queries) {
        return Query.of(q -> q.bool(b -> b.mustNot(List.of(queries))));
    }

    /**
     * Returns a query that a user has written in JSON. Elasticsearch parses the JSON. So the JSON may contain a type of
     * query that the client does not know.
     */
    public static Query given(byte[] json) {
        return Query.of(q -> q.wrapper(w -> w.query(Base64.getEncoder().encodeToString(json))));
    }

    /** Returns the options to sort by one field. */
    public static SortOptions by(String field, SortOrder order) {
        return SortOptions.of(sort -> sort.field(f -> f.field(field).order(order)));
    }

    /**
     * Returns the position of a document in the order of the search. The search for the next page begins after this
     * position.
     */
    static List<FieldValue> after(SearchAnswer.Hit hit) {
        return after(hit.sort().bytes());
    }

    /** Returns a position that was stored as a JSON array. */
    public static List<FieldValue> after(byte[] json) {
        List<FieldValue> values = new ArrayList<>();
        Json.read(json).forEach(value -> values.add(FieldValue.of(JsonData.of(value))));
        return values;
    }
}
