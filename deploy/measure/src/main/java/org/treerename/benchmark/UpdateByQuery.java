package org.treerename.benchmark;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * Renames a directory by one update by query, which is the most common way to rename a directory in Elasticsearch. An
 * update by query gives none of the guarantees of tree rename. The request does not refresh the index.
 */
final class UpdateByQuery {

    private static final String BODY = """
            {"query": %s,
             "script": {"lang": "painless",
               "source": "String now = params.to + ctx._source.path.substring(params.from.length()); \
            int end = now.lastIndexOf('/'); ctx._source.path = now; ctx._source.parent = now.substring(0, end); \
            ctx._source.name = now.substring(end + 1)",
               "params": {"from": "%s", "to": "%s"}}}""";

    private UpdateByQuery() {}

    /**
     * Sends one update by query, and waits for the answer.
     *
     * @param slices the number of slices, or {@code auto}
     * @return the number of changed documents
     */
    static long run(Es es, String index, String from, String to, String slices) {
        JsonNode answer = es.post(index + "/_update_by_query?slices=" + slices, BODY.formatted(Tree.at(from), from, to))
                .json();
        if (!answer.path("failures").isEmpty()
                || answer.path("version_conflicts").asLong() != 0) {
            throw new IllegalStateException(
                    "expected an update by query without failures and conflicts, found " + answer);
        }
        return answer.path("updated").asLong();
    }
}
