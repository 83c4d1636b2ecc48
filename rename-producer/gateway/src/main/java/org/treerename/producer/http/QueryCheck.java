package org.treerename.producer.http;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;
import java.util.Set;

/**
 * Rejects a client's query if it contains a script, or a reference to a document of another index. Elasticsearch would
 * process these parts of a query with the rights of the gateway.
 */
final class QueryCheck {

    private static final Set<String> SCRIPTS =
            Set.of("script", "script_score", "scripted_metric", "minimum_should_match_script");

    /**
     * Each key is a field that names an index. The value is the field of the same JSON object that names a document of
     * this index.
     */
    private static final Map<String, String> LOOKUPS = Map.of("index", "id", "_index", "_id");

    private QueryCheck() {}

    /**
     * Checks a query and all its nested clauses.
     *
     * @throws ProblemException if the query is no JSON object, contains a script, or names a document of another index
     */
    static void check(JsonNode query) {
        if (!query.isObject()) {
            throw TreeQuestion.wrong("expected a query of Elasticsearch, as in {\"term\":{\"owner\":\"me\"}}", "query");
        }
        visit(query);
    }

    private static void visit(JsonNode json) {
        for (Map.Entry<String, JsonNode> field : json.properties()) {
            if (SCRIPTS.contains(field.getKey())) {
                throw TreeQuestion.wrong("a query must not contain a script", "query");
            }
            String idField = LOOKUPS.get(field.getKey());
            if (idField != null && (json.has(idField) || json.has("doc") || json.has("_source"))) {
                throw TreeQuestion.wrong(
                        "a query must not name an index, because it would read documents of this index", "query");
            }
        }
        json.forEach(QueryCheck::visit);
    }
}
