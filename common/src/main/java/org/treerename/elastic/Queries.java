package org.treerename.elastic;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Collection;
import java.util.function.Function;
import org.treerename.namespace.Fields;
import org.treerename.namespace.Namespace;
import org.treerename.namespace.VersionOwner;
import org.treerename.path.TreePath;
import org.treerename.tree.TreeStore.Reach;

/** Queries for documents by their paths. */
public final class Queries {

    private Queries() {}

    static JsonNode of(Namespace namespace, TreePath path, Reach reach) {
        return reach == Reach.AT ? at(namespace, path) : any(at(namespace, path), below(namespace, path));
    }

    /** Makes a search return whole documents. Since 9.2, Elasticsearch omits their vectors by default. */
    public static void whole(ObjectNode search, Elastic elastic) {
        if (elastic.knowsExcludeVectors()) {
            search.putObject("_source").put("exclude_vectors", false);
        }
    }

    /** Makes a search return the versions that the conditions of later writes need. */
    static void versions(ObjectNode search, Namespace namespace) {
        search.put("seq_no_primary_term", true);
        if (namespace.rules().version() != VersionOwner.SEQ_NO) {
            search.put("version", true);
        }
    }

    public static JsonNode at(Namespace namespace, TreePath path) {
        Fields fields = namespace.fields();
        return switch (fields.holds()) {
            case PATH -> term(searched(fields), path.text());
            case DIRECTORY ->
                all(term(searched(fields), path.parent().text()), term(String.valueOf(fields.name()), path.name()));
        };
    }

    /**
     * Returns a query for the documents at these paths. If documents store directory and name separately, the query may
     * also match other documents. These have the directory of one path and the name of another path.
     */
    static JsonNode atOneOf(Namespace namespace, Collection<TreePath> paths) {
        Fields fields = namespace.fields();
        return switch (fields.holds()) {
            case PATH -> terms(searched(fields), paths, TreePath::text);
            case DIRECTORY ->
                all(
                        terms(searched(fields), paths, path -> path.parent().text()),
                        terms(String.valueOf(fields.name()), paths, TreePath::name));
        };
    }

    public static JsonNode below(Namespace namespace, TreePath path) {
        Fields fields = namespace.fields();
        JsonNode range = range(searched(fields), path.prefixOfBelow());
        return switch (fields.holds()) {
            case PATH -> range;
            case DIRECTORY -> any(term(searched(fields), path.text()), range);
        };
    }

    private static String searched(Fields fields) {
        return fields.searched().getFirst();
    }

    /**
     * Returns a query for the texts that begin with a prefix. The prefix ends with a separator, or is empty. The query is a range, because
     * Elasticsearch refuses a prefix query with more than 1,000 characters ({@code index.max_regex_length}). The range begins with the prefix
     * and ends before {@link #behind}.
     */
    static JsonNode range(String field, String prefix) {
        ObjectNode query = Json.object();
        ObjectNode range = query.putObject("range").putObject(field);
        if (prefix.isEmpty()) {
            range.put("gt", "");
        } else {
            range.put("gte", prefix).put("lt", behind(prefix));
        }
        return query;
    }

    /** Returns the first text that sorts after every text with this prefix: its last character is replaced by the next character. */
    static String behind(String prefix) {
        int last = prefix.length() - 1;
        return prefix.substring(0, last) + (char) (prefix.charAt(last) + 1);
    }

    public static JsonNode term(String field, String text) {
        ObjectNode query = Json.object();
        query.putObject("term").put(field, text);
        return query;
    }

    private static JsonNode terms(String field, Collection<TreePath> paths, Function<TreePath, String> text) {
        ObjectNode query = Json.object();
        ArrayNode terms = query.putObject("terms").putArray(field);
        paths.stream().map(text).distinct().forEach(terms::add);
        return query;
    }

    public static JsonNode any(JsonNode one, JsonNode other) {
        ObjectNode query = Json.object();
        query.putObject("bool").putArray("should").add(one).add(other);
        return query;
    }

    public static JsonNode all(JsonNode one, JsonNode other) {
        ObjectNode query = Json.object();
        query.putObject("bool").putArray("filter").add(one).add(other);
        return query;
    }
}
