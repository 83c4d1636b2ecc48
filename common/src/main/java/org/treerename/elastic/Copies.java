package org.treerename.elastic;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.HashSet;
import java.util.Set;
import org.treerename.store.NoAnswerException;

/**
 * Which copies of an index's shards a node searches. The master takes a copy out before any write is acknowledged without it, and a
 * node that has not heard of that goes on asking the copy.
 */
final class Copies {

    /** A node that has no master says so after a while. */
    private static final String COPIES = "/_search_shards?filter_path=shards.allocation_id.id&master_timeout=5s";

    private Copies() {}

    /**
     * Checks that a node searches no copy that the master has taken out. This then also holds of each later search by that node, for
     * what was acknowledged before the call.
     *
     * @throws NoAnswerException if it searches one, or a copy that came after the master was asked; ask again
     */
    static void requireCurrent(Elastic node, String index) {
        // the master first: what it takes out later lacks only what is acknowledged later
        Set<String> known = copies(node, index, false);
        Set<String> searched = copies(node, index, true);
        if (!known.containsAll(searched)) {
            throw new NoAnswerException(
                    "a node searches copies of " + index + " that the master does not list: it searches " + searched
                            + ", the master lists " + known,
                    null);
        }
    }

    /** The ids of their allocations, of which each copy has a new one when it comes back. */
    private static Set<String> copies(Elastic node, String index, boolean ofTheNode) {
        Elastic.Answer answer = node.get("/" + index + COPIES + (ofTheNode ? "&local=true" : ""));
        JsonNode shards = answer.json().path("shards");
        if (!answer.isOk() || shards.isEmpty()) {
            throw new NoAnswerException("asked for the copies of " + index + ": " + answer.json(), null);
        }
        Set<String> ids = new HashSet<>();
        for (JsonNode shard : shards) {
            for (JsonNode copy : shard) {
                ids.add(Json.field(copy.path("allocation_id"), "id").asText());
            }
        }
        return ids;
    }
}
