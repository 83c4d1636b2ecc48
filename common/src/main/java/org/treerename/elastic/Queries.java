package org.treerename.elastic;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Collection;
import org.treerename.path.Namespace;
import org.treerename.path.Path;
import org.treerename.rename.TreeStore.Reach;

/** The queries by path. */
final class Queries {

    private static final char AFTER_SEPARATOR = (char) (Path.SEPARATOR.charAt(0) + 1);

    private Queries() {}

    static JsonNode of(Namespace namespace, Path path, Reach reach) {
        if (reach == Reach.AT) {
            return at(namespace, path);
        }
        ObjectNode query = Json.object();
        ArrayNode should = query.putObject("bool").putArray("should");
        should.add(at(namespace, path)).add(below(namespace, path));
        return query;
    }

    /** A search that tells whether anything matches, and neither what nor how much. */
    static ObjectNode anything(JsonNode query) {
        return upTo(1, query);
    }

    /** A search that tells how many match, on each shard up to so many. */
    static ObjectNode upTo(int most, JsonNode query) {
        ObjectNode body =
                Json.object().put("size", 0).put("track_total_hits", true).put("terminate_after", most);
        body.set("query", query);
        return body;
    }

    static JsonNode at(Namespace namespace, Path path) {
        ObjectNode query = Json.object();
        query.putObject("term").put(namespace.pathField(), path.text());
        return query;
    }

    static JsonNode atOneOf(Namespace namespace, Collection<Path> paths) {
        ObjectNode query = Json.object();
        ArrayNode terms = query.putObject("terms").putArray(namespace.pathField());
        paths.forEach(path -> terms.add(path.text()));
        return query;
    }

    /**
     * A range and not a prefix query, which Elasticsearch refuses over 1,000 characters ({@code index.max_regex_length}).
     * What begins with a text and the separator sorts from there up to, and without, the text and the separator's
     * successor.
     */
    static JsonNode below(Namespace namespace, Path path) {
        String from = path.prefixOfBelow();
        String to = from.substring(0, from.length() - 1) + AFTER_SEPARATOR;
        ObjectNode query = Json.object();
        query.putObject("range")
                .putObject(namespace.pathField())
                .put("gte", from)
                .put("lt", to);
        return query;
    }
}
