package org.treerename.producer.http;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;
import java.util.Set;

/**
 * Refuses parts of a client's query that Elasticsearch would answer with the rights of the gateway: scripts, and documents of other indices that a query
 * names.
 */
final class QueryCheck {

    private static final Set<String> SCRIPTS =
            Set.of("script", "script_score", "scripted_metric", "minimum_should_match_script");

    /** A field that names an index, and the one beside it that makes it the name of a document there. */
    private static final Map<String, String> LOOKUPS = Map.of("index", "id", "_index", "_id");

    private QueryCheck() {}

    /**
     * Checks a query.
     *
     * @throws ProblemException if it has such a part
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
                throw TreeQuestion.wrong("scripts are not allowed here", "query");
            }
            String beside = LOOKUPS.get(field.getKey());
            if (beside != null && (json.has(beside) || json.has("doc") || json.has("_source"))) {
                throw TreeQuestion.wrong("a query cannot read other documents here", "query");
            }
        }
        json.forEach(QueryCheck::visit);
    }
}
