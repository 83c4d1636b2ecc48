package org.treerename.elastic;

import co.elastic.clients.elasticsearch.core.bulk.UpdateAction;
import com.fasterxml.jackson.databind.JsonNode;
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
 * An update of one lock table by one attempt or by one release. The updates of one table in the same bulk request are
 * merged into one item. The script of the item applies the updates one after the other. Each attempt finds its result
 * in the holds that the item returns. So one write of the table is enough for many attempts.
 *
 * @param id the id of the table's document
 * @param target the parameters that all updates of this table share
 * @param ask the parameters of this update
 */
record LockUpdate(Kind kind, String id, ObjectNode target, ObjectNode ask) {

    /**
     * The kinds of updates, in the order in which an item applies the updates. Releases are first, so that an attempt
     * in the same item can acquire a released lock.
     */
    enum Kind {
        RELEASE(Script.RELEASE_LOCK),
        ACQUIRE(Script.ACQUIRE_LOCK);

        private final int scriptBytes;

        Kind(Script script) {
            this.scriptBytes = TypedJson.bytes(script.with(Json.object())).length;
        }
    }

    /** The approximate number of bytes of an item's action line and field names. */
    private static final int FRAME_BYTES = 512;

    /** The version of the format. Each answer contains this field, because a script leaves a later table as it is. */
    private static final String PROTOCOL = "protocol";

    /** The maximum number of retries by Elasticsearch after a conflict with another update of the same document. */
    static final int RETRIES = 20;

    /** Returns the approximate number of bytes of this update in a request, if its item contains no other update. */
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

    /**
     * Groups updates by table. Each group becomes one item, with the releases first. The keys are the document ids of
     * the tables, in the order of the items.
     */
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

    /** Returns the body of the item that applies all these updates of one table. */
    static UpdateAction<JsonNode, JsonNode> body(List<LockUpdate> together) {
        List<LockUpdate> acquisitions = of(Kind.ACQUIRE, together);
        ArrayNode releases = asks(of(Kind.RELEASE, together));
        if (acquisitions.isEmpty()) {
            ObjectNode params =
                    Json.object().put("most_released", LockTable.Releases.MOST).put(PROTOCOL, ControlIndex.PROTOCOL);
            params.set("asks", releases);
            return UpdateAction.of(action -> action.script(Script.RELEASE_LOCK.with(params))
                    .source(source -> source.filter(filter -> filter.includes(PROTOCOL))));
        }
        ObjectNode params = acquisitions.getFirst().target.deepCopy().put(PROTOCOL, ControlIndex.PROTOCOL);
        params.set("releases", releases);
        params.set("asks", asks(acquisitions));
        List<String> returned = new ArrayList<>(List.of(PROTOCOL));
        acquisitions.forEach(
                update -> returned.add("holds." + update.ask.path("hold_id").asText()));
        return UpdateAction.of(action -> action.script(Script.ACQUIRE_LOCK.with(params))
                .scriptedUpsert(true)
                .upsert(Json.object())
                .source(source -> source.filter(filter -> filter.includes(returned))));
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
