package org.treerename.elastic;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.treerename.store.NoAnswerException;
import org.treerename.store.RefusedException;
import org.treerename.store.Version;
import org.treerename.store.WriteResult;

/** One bulk request. On one shard its items are applied in their order, not atomically; a failed one stops none. */
final class Bulk {

    /** How one item ended. */
    record Item(int status, JsonNode json) {

        boolean isOk() {
            return status < 300;
        }

        Version version() {
            return new Version(
                    json.required("_seq_no").asLong(),
                    json.required("_primary_term").asLong());
        }

        /** The document that the item asked back, as it stands after it. */
        JsonNode source() {
            return json.path("get").path("_source");
        }

        String reason() {
            return status + " " + json.path("error").path("type").asText() + ": "
                    + json.path("error").path("reason").asText();
        }

        /**
         * For a conditional write of a control document.
         *
         * @throws NoAnswerException if the item asks to come again
         * @throws RefusedException if Elasticsearch will never take it
         */
        WriteResult result() {
            if (isOk()) {
                return new WriteResult.Written(version());
            }
            if (status == 409) {
                return new WriteResult.Conflict();
            }
            throw failure();
        }

        RuntimeException failure() {
            String message = "a write of " + json.path("_id").asText() + " ended with " + reason();
            return Elastic.isTransient(status) || isBlocked()
                    ? new NoAnswerException(message, null)
                    : new RefusedException(message);
        }

        /** Whether its index takes no writes now, for a reason that somebody lifts: its disk is full, say. */
        boolean isBlocked() {
            return json.path("error").path("type").asText().equals(Elastic.BLOCK);
        }
    }

    private final ByteArrayOutputStream lines = new ByteArrayOutputStream();
    private int items;

    int items() {
        return items;
    }

    void create(String id, JsonNode document) {
        add("create", Json.object().put("_id", id), Json.bytes(document));
    }

    void index(String id, Version seen, JsonNode document) {
        add("index", conditional(Json.object().put("_id", id), seen), Json.bytes(document));
    }

    void index(ObjectNode target, Version seen, byte[] document) {
        add("index", conditional(target, seen), document);
    }

    void delete(ObjectNode target, Version seen) {
        add("delete", conditional(target, seen), null);
    }

    void update(String id, int retries, JsonNode body) {
        add("update", Json.object().put("_id", id).put("retry_on_conflict", retries), Json.bytes(body));
    }

    private static ObjectNode conditional(ObjectNode target, Version seen) {
        return target.put("if_seq_no", seen.seqNo()).put("if_primary_term", seen.primaryTerm());
    }

    private void add(String operation, JsonNode target, byte @Nullable [] body) {
        lines.writeBytes(Json.bytes(Json.object().set(operation, target)));
        lines.write('\n');
        if (body != null) {
            lines.writeBytes(body);
            lines.write('\n');
        }
        items++;
    }

    int bytes() {
        return lines.size();
    }

    /** Sends it; an answer for each item, in order. */
    List<Item> send(Elastic elastic, String path) {
        return send(List.of(this), elastic, path).getFirst();
    }

    /** Sends several as one request, each with its items side by side; the answers to each of them. */
    static List<List<Item>> send(List<Bulk> bulks, Elastic elastic, String path) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        bulks.forEach(bulk -> all.writeBytes(bulk.lines.toByteArray()));
        Iterator<JsonNode> answers =
                elastic.postLines(path, all.toByteArray()).json().path("items").iterator();
        List<List<Item>> results = new ArrayList<>();
        for (Bulk bulk : bulks) {
            List<Item> items = new ArrayList<>(bulk.items);
            while (items.size() < bulk.items && answers.hasNext()) {
                JsonNode result = answers.next().elements().next();
                items.add(new Item(result.path("status").asInt(), result));
            }
            results.add(items);
        }
        if (answers.hasNext() || results.getLast().size() < bulks.getLast().items) {
            throw new NoAnswerException("a bulk was answered with another number of results than it has items", null);
        }
        return results;
    }
}
