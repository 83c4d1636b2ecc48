package org.treerename.elastic;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import java.util.SortedMap;
import org.treerename.lock.Hold;
import org.treerename.lock.LockMode;
import org.treerename.lock.LockTable;
import org.treerename.lock.Release;
import org.treerename.path.TreePath;

/**
 * What one attempt, or one release, does to one lock table. Those of many that meet in one request become one item: its
 * script does one after the other, and the holds that come back are the answer to each of them. So many attempts at one
 * table cost one update.
 *
 * @param id of the table's document
 * @param target what all updates of this table have in common
 * @param ask what this one wants
 */
record LockUpdate(Kind kind, String id, ObjectNode target, ObjectNode ask) {

    /** In the order in which one item does them: what is released can be acquired in the same one. */
    enum Kind {
        RELEASE(Script.RELEASE_LOCK),
        ACQUIRE(Script.ACQUIRE_LOCK);

        private final int scriptBytes;

        Kind(Script script) {
            this.scriptBytes = Json.bytes(script.with(Json.object())).length;
        }
    }

    /** Of the line and the names of an item. */
    private static final int FRAME_BYTES = 512;

    /** How often Elasticsearch runs the script again when another update of the document came between. */
    static final int RETRIES = 20;

    /** Returns about how many bytes it adds to a request, if it shares its item with no other. */
    int bytes() {
        return FRAME_BYTES + kind.scriptBytes + Json.bytes(target).length + Json.bytes(ask).length;
    }

    static LockUpdate acquire(LockTable.Id table, SortedMap<TreePath, LockMode> wanted, Hold hold) {
        ObjectNode ask = Json.object()
                .put("hold_id", hold.holdId())
                .put("request_id", hold.requestId())
                .put("process_id", hold.processId())
                .put("age_millis", hold.age().appendedAtMillis());
        LockJson.writePaths(ask, wanted);
        ObjectNode target = LockJson.identity(table, wanted.firstKey().notation())
                .put("most_entries", LockTable.MOST_ENTRIES)
                .put("most_characters", LockTable.MOST_CHARACTERS)
                .put("most_released", LockTable.Releases.MOST);
        return new LockUpdate(Kind.ACQUIRE, LockJson.id(table), target, ask);
    }

    static LockUpdate release(LockTable.Id table, Release release) {
        return release(LockJson.id(table), release);
    }

    static LockUpdate release(String id, Release release) {
        ObjectNode ask = Json.object();
        release.holdIds().stream().sorted().forEach(ask.putArray("hold_ids")::add);
        ask.put("claim_of", release.claimOf().orElse(null));
        return new LockUpdate(Kind.RELEASE, id, Json.object(), ask);
    }

    /** Groups those that become one item: those of one table, releases first. The keys are the ids of the tables, in the order of the items. */
    static SequencedMap<String, List<LockUpdate>> shared(List<LockUpdate> updates) {
        SequencedMap<String, List<LockUpdate>> items = new LinkedHashMap<>();
        for (Kind kind : Kind.values()) {
            updates.stream()
                    .filter(update -> update.kind == kind)
                    .forEach(update -> items.computeIfAbsent(update.id, id -> new ArrayList<>())
                            .add(update));
        }
        return items;
    }

    /** The body of the update that does all of these, which are of one table. */
    static ObjectNode body(List<LockUpdate> together) {
        ObjectNode body = Json.object();
        List<LockUpdate> acquisitions = of(Kind.ACQUIRE, together);
        ArrayNode releases = asks(of(Kind.RELEASE, together));
        if (acquisitions.isEmpty()) {
            ObjectNode params = Json.object().put("most_released", LockTable.Releases.MOST);
            params.set("asks", releases);
            body.set("script", Script.RELEASE_LOCK.with(params));
            return body;
        }
        ObjectNode params = acquisitions.getFirst().target.deepCopy();
        params.set("releases", releases);
        params.set("asks", asks(acquisitions));
        body.put("scripted_upsert", true);
        ArrayNode asked = body.putArray("_source");
        acquisitions.forEach(
                update -> asked.add("holds." + update.ask.path("hold_id").asText()));
        body.set("script", Script.ACQUIRE_LOCK.with(params));
        body.putObject("upsert");
        return body;
    }

    private static List<LockUpdate> of(Kind kind, List<LockUpdate> updates) {
        return updates.stream().filter(update -> update.kind == kind).toList();
    }

    private static ArrayNode asks(List<LockUpdate> updates) {
        ArrayNode asks = Json.MAPPER.createArrayNode();
        updates.forEach(update -> asks.add(update.ask));
        return asks;
    }
}
