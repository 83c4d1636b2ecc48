package org.treerename.elastic;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.treerename.lock.Hold;
import org.treerename.lock.LockMode;
import org.treerename.lock.LockPriority;
import org.treerename.lock.LockTable;
import org.treerename.lock.LockTable.Claim;
import org.treerename.lock.LockTable.Held;
import org.treerename.lock.LockTable.Releases;
import org.treerename.path.Notation;
import org.treerename.path.TreePath;
import org.treerename.store.Sha256;

/**
 * Reads and writes the stored form of a {@link LockTable}. The id of the table of a bucket consists of {@code locks:},
 * the namespace, a colon and the name of the bucket:
 *
 * <pre>{@code
 * { "kind": "lock", "protocol": 1, "namespace": "files", "table": "11",
 *   "notation": { "separator": "/", "leading": true, "quoted": false },
 *   "holds":  { "<hold id>": { "request_id": "…", "process_id": "…", "age_millis": 0, "x": ["/a", "/b"], "s": [] } },
 *   "claims": { "<request id>": { "age_millis": 0, "x": [], "s": ["/a"] } },
 *   "releases": 1, "released": ["<request id>"] }
 * }</pre>
 *
 * {@code x} contains the exclusive paths, and {@code s} contains the shared paths. {@code releases} and {@code
 * released} store {@link LockTable.Releases}. The table of a single document contains {@code path} instead of {@code
 * table}, and no {@code releases} or {@code released}. This table repeats the keys of {@code holds} and {@code claims}
 * in {@code hold_ids} and {@code claim_ids}, because searches use these two fields. The id of this table is {@code
 * lock:} and a hash of the namespace and the path. Only the scripts {@code acquire-lock.painless} and {@code
 * release-lock.painless} write lock tables.
 */
final class LockJson {

    private LockJson() {}

    static String id(LockTable.Id table) {
        return table.ofDocument()
                ? "lock:" + hash(table.namespace(), table.name())
                : "locks:" + table.namespace() + ":" + table.name();
    }

    private static String hash(String namespace, String path) {
        return Sha256.hex(
                namespace.getBytes(StandardCharsets.UTF_8), new byte[] {0}, path.getBytes(StandardCharsets.UTF_8));
    }

    /** Returns the fields that identify a table, for the script that creates the table. */
    static ObjectNode identity(LockTable.Id table, Notation notation) {
        ObjectNode json = Json.object()
                .put("namespace", table.namespace())
                .put(table.ofDocument() ? "path" : "table", table.name());
        json.putObject("notation")
                .put("separator", notation.separator())
                .put("leading", notation.leading())
                .put("quoted", notation.quoted());
        return json;
    }

    static void writePaths(ObjectNode json, SortedMap<TreePath, LockMode> paths) {
        ArrayNode exclusive = json.putArray("x");
        ArrayNode shared = json.putArray("s");
        paths.forEach((path, mode) -> (mode == LockMode.EXCLUSIVE ? exclusive : shared).add(path.text()));
    }

    static LockTable read(JsonNode json) {
        ControlIndex.refuseLater(json);
        JsonNode stored = json.required("notation");
        Notation notation = new Notation(
                stored.required("separator").asText(),
                stored.required("leading").asBoolean(),
                stored.required("quoted").asBoolean());
        SortedMap<String, Held> holds = new TreeMap<>();
        json.path("holds").properties().forEach(e -> holds.put(e.getKey(), held(e.getKey(), e.getValue(), notation)));
        SortedMap<String, Claim> claims = new TreeMap<>();
        json.path("claims")
                .properties()
                .forEach(e -> claims.put(e.getKey(), claim(e.getKey(), e.getValue(), notation)));
        return new LockTable(tableId(json), holds, claims, releases(json));
    }

    private static Releases releases(JsonNode json) {
        return new Releases(json.path("releases").asLong(), Json.texts(json.path("released")));
    }

    private static LockTable.Id tableId(JsonNode json) {
        String namespace = json.required("namespace").asText();
        return json.has("path")
                ? new LockTable.Id(namespace, json.path("path").asText(), true)
                : new LockTable.Id(namespace, json.required("table").asText(), false);
    }

    /**
     * Returns whether the table in an answer contains this hold. The answer may omit the holds that the request did not
     * name.
     */
    static boolean isHeldBy(JsonNode json, String holdId) {
        ControlIndex.refuseLater(json);
        return json.path("holds").has(holdId);
    }

    /**
     * Compares {@code hold_ids} with the keys of {@code holds}, and {@code claim_ids} with the keys of {@code claims}.
     * Returns a message for each difference.
     */
    static List<String> contradictions(JsonNode json) {
        LockTable table = read(json);
        if (!table.id().ofDocument()) {
            return List.of();
        }
        Map<String, String> expected = new TreeMap<>(Map.of(
                "hold_ids", table.holds().keySet().toString(),
                "claim_ids", table.claims().keySet().toString()));
        List<String> found = new ArrayList<>();
        expected.forEach((field, keys) -> {
            if (!keys.equals(sorted(json.path(field)))) {
                found.add(
                        table.id() + ": expected " + field + " to be " + keys + ", found " + sorted(json.path(field)));
            }
        });
        return found;
    }

    private static String sorted(JsonNode field) {
        if (!field.isArray()) {
            return field.isMissingNode() ? "nothing" : field.toString();
        }
        return new TreeSet<>(Json.texts(field)).toString();
    }

    private static Held held(String holdId, JsonNode json, Notation notation) {
        LockPriority age = new LockPriority(
                json.required("age_millis").asLong(),
                json.required("request_id").asText());
        return new Held(new Hold(holdId, json.required("process_id").asText(), age), paths(json, notation));
    }

    private static Claim claim(String requestId, JsonNode json, Notation notation) {
        return new Claim(new LockPriority(json.required("age_millis").asLong(), requestId), paths(json, notation));
    }

    private static SortedMap<TreePath, LockMode> paths(JsonNode json, Notation notation) {
        SortedMap<TreePath, LockMode> paths = new TreeMap<>();
        json.required("s").forEach(path -> paths.put(notation.path(path.asText()), LockMode.SHARED));
        json.required("x").forEach(path -> paths.put(notation.path(path.asText()), LockMode.EXCLUSIVE));
        return paths;
    }
}
