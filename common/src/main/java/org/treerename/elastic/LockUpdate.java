package org.treerename.elastic;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import org.treerename.lock.Hold;
import org.treerename.lock.LockMode;
import org.treerename.lock.Release;
import org.treerename.path.Path;

/**
 * What one attempt, or one release, does to one lock document. Those of many that meet in one request become one item: its
 * script does one after the other, and the document that comes back is the answer to each of them. A lock on a directory
 * that many renames have above them then costs one update instead of one for each.
 *
 * @param id of the document
 * @param target what all that go to this document have in common
 * @param ask what this one wants
 */
record LockUpdate(Kind kind, String id, ObjectNode target, ObjectNode ask) {

    /** In the order in which they stand in a request: what is given back can be taken in the same one. */
    enum Kind {
        RELEASE,
        ACQUIRE
    }

    /** A few of these fill a request no more than they should, whoever shares an item with whom. */
    static final int MOST_BYTES = 4 * 1024;

    /** How often Elasticsearch runs the script again when another update of the document came between. */
    static final int RETRIES = 20;

    /** What those have in common that become one item. */
    record Key(Kind kind, String id) {}

    static LockUpdate acquire(String namespace, Path path, LockMode mode, Hold hold) {
        return new LockUpdate(
                Kind.ACQUIRE,
                LockJson.id(namespace, path),
                Json.object().put("namespace", namespace).put("path", path.text()),
                Json.object()
                        .put("hold_id", hold.holdId())
                        .put("request_id", hold.requestId())
                        .put("process_id", hold.processId())
                        .put("mode", mode.stored())
                        .put("age_millis", hold.age().appendedAtMillis()));
    }

    static LockUpdate release(String namespace, Path path, Release release) {
        return release(LockJson.id(namespace, path), release);
    }

    static LockUpdate release(String id, Release release) {
        ObjectNode ask = Json.object();
        release.holdIds().forEach(ask.putArray("hold_ids")::add);
        ask.put("claim_of", release.claimOf().orElse(null));
        return new LockUpdate(Kind.RELEASE, id, Json.object(), ask);
    }

    Key key() {
        return new Key(kind, id);
    }

    /** Those that become one item each, in the order of the items. */
    static SequencedMap<Key, List<LockUpdate>> shared(List<LockUpdate> updates) {
        SequencedMap<Key, List<LockUpdate>> items = new LinkedHashMap<>();
        for (Kind kind : Kind.values()) {
            updates.stream()
                    .filter(update -> update.kind == kind)
                    .forEach(update -> items.computeIfAbsent(update.key(), key -> new ArrayList<>())
                            .add(update));
        }
        return items;
    }

    /** The body of the update that does all of these, which have a key in common. */
    static ObjectNode body(List<LockUpdate> together) {
        LockUpdate first = together.getFirst();
        ObjectNode params = first.target.deepCopy();
        ArrayNode asks = params.putArray("asks");
        together.forEach(update -> asks.add(update.ask));
        ObjectNode body = Json.object();
        switch (first.kind) {
            case RELEASE -> body.set("script", Script.RELEASE_LOCK.with(params));
            case ACQUIRE -> {
                body.put("scripted_upsert", true).put("_source", true);
                body.set("script", Script.ACQUIRE_LOCK.with(params));
                body.putObject("upsert");
            }
        }
        return body;
    }
}
