package org.treerename.elastic;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.HashSet;
import java.util.Set;
import org.treerename.store.NoAnswerException;

/**
 * Compares two lists of the shard copies of an index or alias: the copies that a node searches, and the copies that the
 * master lists. The master removes a copy from its list before Elasticsearch acknowledges a write that the copy does
 * not have. A node that has not received the new list still searches the removed copy. Such a node also does not search
 * an index that has just joined the alias.
 */
final class ShardCopies {

    /** The read of the shard copies. With this timeout, a node without a master answers after 5 s, not after 30 s. */
    private static final String COPIES =
            "/_search_shards" + "?filter_path=shards.index,shards.shard,shards.allocation_id.id&master_timeout=5s";

    /**
     * The copies of all shards.
     *
     * @param shards the index and the number of each shard
     * @param ids the allocation id of each copy; a copy that is added again has a new id
     */
    private record Copies(Set<String> shards, Set<String> ids) {}

    private ShardCopies() {}

    /**
     * Checks that a node searches every shard that the master lists, and no copy that the master has removed. If this
     * method does not throw, each later search by that node finds every write that was acknowledged before the call.
     * The reason is that a node never replaces its list of copies by an older list.
     *
     * @throws NoAnswerException if the node does not search a shard that the master lists, or searches a copy that the
     *     master does not list. The copy was removed, or was added after the request to the master
     */
    static void requireCurrent(Elastic node, String index) {
        // read the list of the master first: a copy that the master removes after this read lacks only writes that are
        // acknowledged after this read
        Copies known = copies(node, index, false);
        Copies searched = copies(node, index, true);
        if (!known.ids().containsAll(searched.ids()) || !searched.shards().containsAll(known.shards())) {
            throw new NoAnswerException(
                    "a node searches other copies of " + index + " than the master lists; the node searches " + searched
                            + "; the master lists " + known,
                    null);
        }
    }

    /** Returns the copies that the node searches if {@code isLocal}, otherwise the copies that the master lists. */
    private static Copies copies(Elastic node, String index, boolean isLocal) {
        Elastic.Answer answer = node.raw().get("/" + index + COPIES + (isLocal ? "&local=true" : ""));
        JsonNode shards = answer.json().path("shards");
        if (!answer.isOk() || shards.isEmpty()) {
            throw new NoAnswerException("cannot read the shard copies of " + index + ": " + answer.json(), null);
        }
        Copies copies = new Copies(new HashSet<>(), new HashSet<>());
        for (JsonNode shard : shards) {
            for (JsonNode copy : shard) {
                String name = Json.field(copy, "index").asText();
                int number = Json.field(copy, "shard").asInt();
                copies.shards().add(name + "[" + number + "]");
                copies.ids().add(Json.field(copy.path("allocation_id"), "id").asText());
            }
        }
        return copies;
    }
}
