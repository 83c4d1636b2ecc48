package org.treerename.janitor.proposal;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import org.treerename.elastic.PathMapping;
import org.treerename.path.Notation;

/**
 * A request to Elasticsearch that the owner of an index should send.
 *
 * @param reason the purpose of the request, as a text for people
 */
public record RepairRequest(String reason, String method, String path, JsonNode body) {

    private static final ObjectMapper MAPPER = new ObjectMapper();

    /** A larger request runs as a task of Elasticsearch, because an HTTP client would not wait for its end. */
    private static final long MOST_AT_ONCE = 10_000;

    private static final String WITHOUT_END = """
            Map at = ctx._source; String key = params.field; \
            while (!at.containsKey(key)) { \
            int dot = key.indexOf('.'); at = at[key.substring(0, dot)]; key = key.substring(dot + 1) } \
            String text = at[key]; at[key] = text.substring(0, text.length() - params.separator.length())\
            """;

    /** Returns the request that changes the mapping of one index. */
    public static RepairRequest mapping(PathMapping.Change change) {
        return new RepairRequest(
                switch (change.step()) {
                    case NOTHING -> "changes nothing";
                    case RAISE_LIMIT -> "raises ignore_above, so that new documents with longer paths are found";
                    case ADD_SUB_FIELD -> "adds a sub-field with the unchanged path";
                    case ADD_FIELD -> "maps the path field";
                },
                "PUT",
                "/" + change.index() + "/_mapping",
                change.body());
    }

    /**
     * Returns the request that indexes documents again and does not change their fields.
     *
     * @param count the number of these documents
     * @param skipsPipeline whether the index has a default pipeline, which must not run again
     */
    public static RepairRequest indexAgain(String index, JsonNode query, long count, boolean skipsPipeline) {
        ObjectNode body = MAPPER.createObjectNode();
        body.set("query", query);
        return new RepairRequest(
                "indexes " + count
                        + (count == 1
                                ? " document again, because searches do not find it"
                                : " documents again, because searches do not find them")
                        + ". The request changes no field. If this command still reports documents after the request,"
                        + " their paths have more than " + PathMapping.LONGEST + " characters",
                "POST",
                updateByQuery(index, count, skipsPipeline),
                body);
    }

    /**
     * Returns the request that indexes again the documents without a searchable path. Some of these documents may have
     * no path at all.
     */
    public static RepairRequest pathless(String index, JsonNode query, long count, boolean skipsPipeline) {
        ObjectNode body = MAPPER.createObjectNode();
        body.set("query", query);
        return new RepairRequest(
                "indexes again the documents without a searchable path (documents: " + count
                        + "). No rename moves these documents. The request helps only if they have a path, and the path"
                        + " field was mapped later",
                "POST",
                updateByQuery(index, count, skipsPipeline),
                body);
    }

    /**
     * Returns the request that removes the separator from the end of paths.
     *
     * @param ending a query for the paths that end with the separator
     */
    public static RepairRequest withoutEnd(
            String index, String field, JsonNode ending, Notation notation, long count, boolean skipsPipeline) {
        ObjectNode body = MAPPER.createObjectNode();
        body.set("query", ending);
        ObjectNode script = body.putObject("script").put("source", WITHOUT_END);
        script.putObject("params").put("field", field).put("separator", notation.separator());
        return new RepairRequest(
                "removes the separator at the end of " + count + (count == 1 ? " path" : " paths")
                        + "; send this request only if your other programs accept the changed paths",
                "POST",
                updateByQuery(index, count, skipsPipeline),
                body);
    }

    /** Returns a query for the paths that end with the separator, except the root. */
    public static JsonNode ending(String searched, Notation notation) {
        StringBuilder pattern = new StringBuilder("?*");
        notation.separator().chars().forEach(c -> {
            if (c == '*' || c == '?' || c == '\\') {
                pattern.append('\\');
            }
            pattern.append((char) c);
        });
        ObjectNode query = MAPPER.createObjectNode();
        query.putObject("wildcard").putObject(searched).put("value", pattern.toString());
        return query;
    }

    private static String updateByQuery(String index, long count, boolean skipsPipeline) {
        return "/" + index + "/_update_by_query?conflicts=proceed&refresh=true"
                + (skipsPipeline ? "&pipeline=_none" : "")
                + (count > MOST_AT_ONCE ? "&slices=auto&wait_for_completion=false" : "");
    }

    /** Returns the request as lines: a comment, the method and the path, and the body as JSON. */
    public List<String> lines() {
        List<String> lines = new ArrayList<>(List.of("# " + reason, method + " " + path));
        lines.addAll(body.toPrettyString().lines().toList());
        return lines;
    }
}
