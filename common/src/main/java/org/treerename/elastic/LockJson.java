package org.treerename.elastic;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.treerename.lock.Age;
import org.treerename.lock.Hold;
import org.treerename.lock.LockDocument;
import org.treerename.lock.LockDocument.Claim;
import org.treerename.lock.LockDocument.Held;
import org.treerename.lock.LockMode;
import org.treerename.path.Notation;
import org.treerename.path.Path;

/**
 * A lock document as it is stored, under {@code lock:} and a hash of namespace and path:
 *
 * <pre>{@code
 * { "kind": "lock", "namespace": "files", "path": "/a", "lock_type": "shared", "lock_count": 1,
 *   "holds":  { "<hold id>": { "request_id": "…", "process_id": "…", "mode": "shared", "age_millis": 0 } },
 *   "claims": { "<request id>": { "mode": "exclusive", "age_millis": 0 } },
 *   "hold_ids": ["…"], "claim_ids": ["…"], "process_ids": ["…"] }
 * }</pre>
 *
 * Only the two scripts write it; the last three fields repeat keys of the maps, to search by.
 */
final class LockJson {

    private LockJson() {}

    static String id(String namespace, Path path) {
        try {
            MessageDigest sha = MessageDigest.getInstance("SHA-256");
            sha.update(namespace.getBytes(StandardCharsets.UTF_8));
            sha.update((byte) 0);
            sha.update(path.text().getBytes(StandardCharsets.UTF_8));
            return "lock:" + HexFormat.of().formatHex(sha.digest());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    static LockDocument read(JsonNode json) {
        SortedMap<String, Held> holds = new TreeMap<>();
        json.path("holds").properties().forEach(e -> holds.put(e.getKey(), held(e.getKey(), e.getValue())));
        SortedMap<String, Claim> claims = new TreeMap<>();
        json.path("claims").properties().forEach(e -> claims.put(e.getKey(), claim(e.getKey(), e.getValue())));
        return new LockDocument(
                json.required("namespace").asText(),
                Notation.WHOLE.path(json.required("path").asText()),
                holds,
                claims);
    }

    /** Where the fields that repeat the maps differ from them, in words. */
    static List<String> contradictions(JsonNode json) {
        LockDocument lock = read(json);
        SortedSet<String> processes = new TreeSet<>();
        lock.holds().values().forEach(held -> processes.add(held.hold().processId()));
        boolean exclusive = lock.holds().values().stream().anyMatch(held -> held.mode() == LockMode.EXCLUSIVE);
        String type = (exclusive ? LockMode.EXCLUSIVE : LockMode.SHARED).stored();
        Map<String, String> expected = new TreeMap<>(Map.of(
                "lock_count", String.valueOf(lock.holds().size()),
                "lock_type", lock.holds().isEmpty() ? "null" : type,
                "hold_ids", lock.holds().keySet().toString(),
                "claim_ids", lock.claims().keySet().toString(),
                "process_ids", processes.toString()));
        return expected.entrySet().stream()
                .filter(field -> !field.getValue().equals(words(json.path(field.getKey()))))
                .map(field -> "the lock document of " + lock.path() + " in " + lock.namespace() + ": expected "
                        + field.getKey() + " to be " + field.getValue() + ", found " + words(json.path(field.getKey())))
                .toList();
    }

    /** A stored field; of several values, which are in no order, the sorted ones. */
    private static String words(JsonNode field) {
        if (!field.isArray()) {
            return field.isMissingNode() ? "nothing" : field.asText();
        }
        SortedSet<String> values = new TreeSet<>();
        field.forEach(value -> values.add(value.asText()));
        return values.toString();
    }

    private static Held held(String holdId, JsonNode json) {
        Age age = new Age(
                json.required("age_millis").asLong(),
                json.required("request_id").asText());
        return new Held(new Hold(holdId, json.required("process_id").asText(), age), mode(json));
    }

    private static Claim claim(String requestId, JsonNode json) {
        return new Claim(new Age(json.required("age_millis").asLong(), requestId), mode(json));
    }

    private static LockMode mode(JsonNode json) {
        return LockMode.ofStored(json.required("mode").asText());
    }
}
