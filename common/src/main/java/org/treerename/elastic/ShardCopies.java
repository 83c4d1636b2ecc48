package org.treerename.elastic;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.HashSet;
import java.util.Set;
import java.util.TreeSet;
import org.treerename.store.NoAnswerException;
import org.treerename.store.RefusedException;

/**
 * Compares two lists of the shard copies of an index or alias: the copies that a node searches, and the copies that the
 * master lists. The master removes a copy from its list before Elasticsearch acknowledges a write that the copy does
 * not have. A node that has not received the new list still searches the removed copy. Such a node also does not search
 * an index that has just joined the alias, and searches an index that was deleted or has left the alias.
 */
final class ShardCopies {

    /**
     * The read of the shard copies. With this timeout, a node without a master answers after 5 s, not after 30 s. By
     * default, Elasticsearch would leave out indices that are closed or missing.
     */
    private static final String COPIES = "/_search_shards?master_timeout=5s&ignore_unavailable=false"
            + "&filter_path=error.type,indices,shards.index,shards.shard,shards.state,shards.allocation_id.id";

    private static final Set<String> ACTIVE = Set.of("STARTED", "RELOCATING");

    /**
     * The copies of all shards.
     *
     * @param indices the names of the concrete indices, also of an index without an active copy
     * @param shards the index and the number of each shard
     * @param ids the allocation id of each copy; a copy that is added again has a new id
     * @param active the allocation id of each copy that a refresh reaches
     */
    private record Copies(Set<String> indices, Set<String> shards, Set<String> ids, Set<String> active) {}

    /**
     * A node that knows what the master knows.
     *
     * @param indices the names of the concrete indices that the node searches
     * @param shards the number of shards that the node searches
     * @param active the number of copies that a refresh reaches
     */
    record Current(Elastic node, Set<String> indices, int shards, int active) {}

    private ShardCopies() {}

    /**
     * Checks that a node searches every shard that the master lists, and no copy that the master has removed. If this
     * method does not throw, each later search by that node finds every write that was acknowledged before the call,
     * and that node knows every change of the indices that the master has made before the call. The reason is that a
     * node never replaces its cluster state by an older one. The copies of an index that was deleted and created again
     * have new allocation ids.
     *
     * @param elastic the client of one node, or of any node
     * @return the node that was checked
     * @throws NoAnswerException if the node does not search a shard that the master lists, or searches a copy that the
     *     master does not list. The copy was removed, or was added after the request to the master
     * @throws RefusedException if the master knows no such index or alias
     */
    static Current requireCurrent(Elastic elastic, String index) {
        // read the list of the master first: a copy that the master removes after this read lacks only writes that are
        // acknowledged after this read
        Elastic.Answer ofMaster = elastic.raw().get("/" + index + COPIES);
        AnswerStatus.requireIndex(ofMaster, index);
        Elastic node = elastic.at(ofMaster);
        Copies known = copies(ofMaster, index);
        Copies searched = copies(node.raw().get("/" + index + COPIES + "&local=true"), index);
        if (!known.indices().equals(searched.indices())
                || !known.ids().containsAll(searched.ids())
                || !searched.shards().containsAll(known.shards())) {
            throw new NoAnswerException(
                    "a node searches other copies of " + index + " than the master lists; the node searches " + searched
                            + "; the master lists " + known,
                    null);
        }
        return new Current(
                node,
                searched.indices(),
                searched.shards().size(),
                searched.active().size());
    }

    private static Copies copies(Elastic.Answer answer, String index) {
        JsonNode shards = answer.json().path("shards");
        JsonNode indices = answer.json().path("indices");
        if (!answer.isOk() || shards.isEmpty() || indices.isEmpty()) {
            throw new NoAnswerException("cannot read the shard copies of " + index + ": " + answer.json(), null);
        }
        Copies copies = new Copies(new TreeSet<>(), new HashSet<>(), new HashSet<>(), new HashSet<>());
        indices.fieldNames().forEachRemaining(copies.indices()::add);
        for (JsonNode shard : shards) {
            for (JsonNode copy : shard) {
                String name = Json.field(copy, "index").asText();
                int number = Json.field(copy, "shard").asInt();
                copies.shards().add(name + "[" + number + "]");
                String id = Json.field(copy.path("allocation_id"), "id").asText();
                copies.ids().add(id);
                if (ACTIVE.contains(copy.path("state").asText())) {
                    copies.active().add(id);
                }
            }
        }
        return copies;
    }
}
