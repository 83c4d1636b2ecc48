package org.treerename.elastic;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.HashSet;
import java.util.Set;
import org.treerename.store.NoAnswerException;

/**
 * Compares two lists of the shard copies of an index: the copies that a node searches, and the copies that the master
 * lists. The master removes a copy from its list before Elasticsearch acknowledges a write that the copy does not have.
 * A node that has not received the new list still searches the removed copy.
 */
final class ShardCopies {

    /** The read of the shard copies. With this timeout, a node without a master answers after 5 s, not after 30 s. */
    private static final String COPIES = "/_search_shards?filter_path=shards.allocation_id.id&master_timeout=5s";

    private ShardCopies() {}

    /**
     * Checks that a node searches no copy that the master has removed. If this method does not throw, each later search
     * by that node finds every write that was acknowledged before the call. The reason is that a node never replaces
     * its list of copies by an older list.
     *
     * @throws NoAnswerException if the node searches a copy that the master does not list. The copy was removed, or was
     *     added after the request to the master
     */
    static void requireCurrent(Elastic node, String index) {
        // read the list of the master first: a copy that the master removes after this read lacks only writes that are
        // acknowledged after this read
        Set<String> known = copies(node, index, false);
        Set<String> searched = copies(node, index, true);
        if (!known.containsAll(searched)) {
            throw new NoAnswerException(
                    "a node searches copies of " + index + " that the master does not list; the node searches "
                            + searched + "; the master lists " + known,
                    null);
        }
    }

    /**
     * Returns the allocation ids of shard copies: the copies that the node searches if {@code isLocal}, otherwise the
     * copies that the master lists. A copy that is added again has a new id.
     */
    private static Set<String> copies(Elastic node, String index, boolean isLocal) {
        Elastic.Answer answer = node.raw().get("/" + index + COPIES + (isLocal ? "&local=true" : ""));
        JsonNode shards = answer.json().path("shards");
        if (!answer.isOk() || shards.isEmpty()) {
            throw new NoAnswerException("cannot read the shard copies of " + index + ": " + answer.json(), null);
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
