package org.treerename.producer.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.treerename.producer.reader.Reach;
import org.treerename.producer.reader.TreeView;

/**
 * A request for a page of the documents in a tree, or for a page of the entries directly below a path.
 *
 * @param path the path in the notation of the namespace; not checked yet
 * @param query the condition in the query language of Elasticsearch; null for all documents
 * @param isCounting whether the answer contains only the number of documents
 * @param after the token of the previous page; null for the first page
 */
record TreeQuestion(
        String path,
        Reach reach,
        @Nullable JsonNode query,
        boolean isCounting,
        int limit,
        @Nullable String after,
        boolean mayBeInconsistent) {

    private static final int DEFAULT_LIMIT = 100;
    private static final Set<String> PARAMETERS = Set.of("path", "limit", "after", "allow_inconsistent");
    private static final Set<String> FIELDS =
            Set.of("path", "reach", "query", "count", "limit", "after", "allow_inconsistent");

    /**
     * Reads the parameters in a URL.
     *
     * @param rawQuery the query of the URL, still percent-encoded
     * @throws ProblemException if a parameter is not valid; the exception names the parameter
     */
    static TreeQuestion ofUrl(String rawQuery) {
        Map<String, String> given = Listing.parameters(rawQuery, PARAMETERS);
        String path = given.get("path");
        if (path == null) {
            throw wrong("expected a path, found none", "path");
        }
        return new TreeQuestion(
                path,
                Reach.DIRECTLY_BELOW,
                null,
                false,
                limit(given.get("limit")),
                given.get("after"),
                flag(given.get("allow_inconsistent")));
    }

    /**
     * Reads the body of a search.
     *
     * @throws ProblemException if a field is not valid; the exception names the field
     */
    static TreeQuestion ofBody(byte[] body) {
        ObjectNode given = Body.object(body, "search", FIELDS);
        JsonNode path = given.get("path");
        if (path == null || !path.isTextual()) {
            throw wrong("expected a string", "path");
        }
        JsonNode query = given.get("query");
        if (query != null) {
            QueryCheck.check(query);
        }
        return new TreeQuestion(
                path.textValue(),
                reach(given.get("reach")),
                query,
                flag(given.get("count"), "count"),
                limit(given.has("limit") ? given.get("limit").asText() : null),
                text(given.get("after")),
                flag(given.get("allow_inconsistent"), "allow_inconsistent"));
    }

    private static Reach reach(@Nullable JsonNode word) {
        if (word == null) {
            return Reach.AT_OR_BELOW;
        }
        for (Reach reach : Reach.values()) {
            if (reach.name().toLowerCase(Locale.ROOT).equals(word.textValue())) {
                return reach;
            }
        }
        throw wrong("expected one of these values: exactly, directly_below, below, at_or_below", "reach");
    }

    private static @Nullable String text(@Nullable JsonNode json) {
        if (json != null && !json.isTextual()) {
            throw wrong("expected a string", "after");
        }
        return json == null ? null : json.textValue();
    }

    private static boolean flag(@Nullable JsonNode json, String field) {
        if (json != null && !json.isBoolean()) {
            throw wrong("expected true or false", field);
        }
        return json != null && json.booleanValue();
    }

    private static boolean flag(@Nullable String text) {
        if (text != null && !text.equals("true") && !text.equals("false")) {
            throw wrong("expected true or false", "allow_inconsistent");
        }
        return "true".equals(text);
    }

    private static int limit(@Nullable String text) {
        if (text == null) {
            return DEFAULT_LIMIT;
        }
        if (text.matches("[0-9]{1,4}")) {
            int limit = Integer.parseInt(text);
            if (limit >= 1 && limit <= TreeView.LARGEST_PAGE) {
                return limit;
            }
        }
        throw wrong("expected 1 to " + TreeView.LARGEST_PAGE, "limit");
    }

    static ProblemException wrong(String detail, String field) {
        return new ProblemException(Problem.INVALID_REQUEST, detail, field);
    }
}
