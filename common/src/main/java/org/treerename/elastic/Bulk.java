package org.treerename.elastic;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SequencedMap;
import java.util.SequencedSet;
import org.jspecify.annotations.Nullable;
import org.treerename.store.NoAnswerException;
import org.treerename.store.RefusedException;
import org.treerename.store.Version;
import org.treerename.store.WriteResult;
import org.treerename.tree.Condition;
import org.treerename.tree.Document;

/**
 * A bulk request, or the part of one thread in a bulk request. A shard applies the items in their order, but not
 * atomically: the items after a failed item still run. Reads of documents follow all writes, and lock updates follow
 * all other items, even if one request contains the parts of several threads. So no lock update runs before the write
 * of its journal entry.
 */
final class Bulk {

    private static final int NOT_FOUND = 404;
    private static final int CONFLICT = 409;

    /** The maximum number of bytes of an item that reads a document. It is enough for the longest name of a topic. */
    private static final int MOST_BYTES_OF_READING = 512;

    /** The result of one item. */
    record Item(int status, JsonNode json) {

        boolean isOk() {
            return status < 300;
        }

        Version version() {
            return new Version(
                    Json.field(json, "_seq_no").asLong(),
                    Json.field(json, "_primary_term").asLong());
        }

        /** Returns whether the item changed the document. A no-op write succeeds, but changes nothing. */
        boolean hasChanged() {
            return isOk() && !json.path("result").asText().equals("noop");
        }

        /** Returns the document after the item, if the item requested it. */
        JsonNode source() {
            return json.path("get").path("_source");
        }

        String reason() {
            return status + " " + errorType() + ": "
                    + json.path("error").path("reason").asText();
        }

        /**
         * Returns the result of a conditional write of a control document.
         *
         * @throws NoAnswerException if the write may succeed in a retry
         * @throws RefusedException if Elasticsearch refuses the write permanently
         */
        WriteResult result() {
            if (isOk()) {
                return new WriteResult.Written(version());
            }
            if (status == CONFLICT) {
                return new WriteResult.Conflict();
            }
            throw failure();
        }

        /** Returns whether the shard answered a read item with the result that the document does not exist. */
        boolean isAbsent() {
            JsonNode found = json.path("get").path("found");
            return isOk() && found.isBoolean() && !found.booleanValue();
        }

        /** Returns whether the index exists and does not have the document. */
        boolean isMissing() {
            return status == NOT_FOUND && !Elastic.isUnavailable(status, errorType());
        }

        /**
         * Returns the exception for a failed write of a control document. A conflict is not a refusal: another process wrote the document at
         * the same moment, and the caller may retry.
         */
        RuntimeException failure() {
            String message = "a write of " + json.path("_id").asText() + " failed: " + reason();
            return status == CONFLICT || Elastic.isTransient(status) || Elastic.isUnavailable(status, errorType())
                    ? new NoAnswerException(message, null)
                    : new RefusedException(message);
        }

        private String errorType() {
            return json.path("error").path("type").asText();
        }

        /** Returns whether a block of the index stopped the write until an operator removes the cause, for example a full disk. */
        boolean isBlocked() {
            return errorType().equals(Elastic.BLOCK);
        }
    }

    /** A stream that gives access to its buffer, so that the bytes are sent without a copy. */
    private static final class Lines extends ByteArrayOutputStream {
        byte[] buffer() {
            return buf;
        }
    }

    /** Writes additional fields of an item's action line. */
    @FunctionalInterface
    private interface Fields {
        void write() throws IOException;
    }

    private final Lines lines = new Lines();
    private final JsonGenerator json;
    private final List<String> readings = new ArrayList<>();
    private final List<LockUpdate> locks = new ArrayList<>();
    private int lineItems;
    private int lockBytes;

    Bulk() {
        try {
            json = Json.MAPPER.createGenerator(lines).setRootValueSeparator(null);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    int items() {
        return lineItems + readings.size() + locks.size();
    }

    void create(String id, JsonNode document) {
        add("create", null, id, null, () -> {});
        body(document);
    }

    void index(String id, Version seen, JsonNode document) {
        add("index", null, id, null, () -> seen(seen));
        body(document);
    }

    /** Adds a write of a document of a tree. */
    void index(Document.Ref ref, Condition condition, byte[] document) {
        add("index", ref.index(), ref.id(), ref.routing(), () -> condition(ref, condition));
        lines.writeBytes(document);
        lines.write('\n');
    }

    void delete(String id, Version seen) {
        add("delete", null, id, null, () -> seen(seen));
    }

    /** Adds a delete of a document of a tree. */
    void delete(Document.Ref ref, Condition condition) {
        add("delete", ref.index(), ref.id(), ref.routing(), () -> condition(ref, condition));
    }

    void update(String id, int retries, JsonNode body) {
        add("update", null, id, null, () -> json.writeNumberField("retry_on_conflict", retries));
        body(body);
    }

    private void add(String operation, @Nullable String index, String id, @Nullable String routing, Fields further) {
        try {
            json.writeStartObject();
            json.writeObjectFieldStart(operation);
            if (index != null) {
                json.writeStringField("_index", index);
            }
            json.writeStringField("_id", id);
            if (routing != null) {
                json.writeStringField("routing", routing);
            }
            further.write();
            json.writeEndObject();
            json.writeEndObject();
            json.flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        lines.write('\n');
        lineItems++;
    }

    private void seen(Version version) throws IOException {
        json.writeNumberField("if_seq_no", version.seqNo());
        json.writeNumberField("if_primary_term", version.primaryTerm());
    }

    private void condition(Document.Ref ref, Condition condition) throws IOException {
        switch (condition) {
            case Condition.AsRead asRead -> seen(ref.version());
            case Condition.Above(long version, boolean orEqual) -> {
                json.writeNumberField("version", version);
                json.writeStringField("version_type", orEqual ? "external_gte" : "external");
            }
        }
    }

    /**
     * Adds an item that reads a document on the shard of the other items, after all writes of the request. The document is the source of the
     * item, or the item {@linkplain Item#isAbsent is absent}. Parts that read the same document share one item.
     */
    void reading(String id) {
        readings.add(id);
    }

    /**
     * Adds a scripted upsert, because a plain update of a missing document fails. The script makes both the insert and
     * the update a no-op.
     */
    private void addReading(String id) {
        ObjectNode body = Json.object().put("_source", true).put("scripted_upsert", true);
        body.putObject("upsert");
        body.set("script", Script.READ.with(Json.object()));
        update(id, 0, body);
    }

    /**
     * Adds a lock update. It runs after all other items. {@code send} may merge it with updates of the same table, but
     * returns a separate result for each update.
     */
    void lock(LockUpdate update) {
        locks.add(update);
        lockBytes += update.bytes();
    }

    private void body(JsonNode body) {
        lines.writeBytes(Json.bytes(body));
        lines.write('\n');
    }

    int bytes() {
        return lines.size() + readings.size() * MOST_BYTES_OF_READING + lockBytes;
    }

    /** Sends this bulk. Returns one result per item, in this order: writes, reads, lock updates. */
    List<Item> send(Elastic elastic, String path) {
        return send(List.of(this), elastic, path).getFirst();
    }

    /** Sends several bulks as one request. Returns a list for each bulk, with the results in the order of its items. */
    static List<List<Item>> send(List<Bulk> bulks, Elastic elastic, String path) {
        SequencedSet<String> readings = new LinkedHashSet<>();
        bulks.forEach(bulk -> readings.addAll(bulk.readings));
        SequencedMap<String, List<LockUpdate>> shared = LockUpdate.shared(
                bulks.stream().flatMap(bulk -> bulk.locks.stream()).toList());
        boolean isOne = bulks.size() == 1 && readings.isEmpty() && shared.isEmpty();
        Lines all = isOne ? bulks.getFirst().lines : joined(bulks, readings, shared);
        Elastic.Answer answer = elastic.postLines(path, all.buffer(), all.size());
        List<Item> items = BulkAnswer.items(answer);
        int lineItems = bulks.stream().mapToInt(bulk -> bulk.lineItems).sum();
        if (items.size() != lineItems + readings.size() + shared.size()) {
            throw new NoAnswerException(
                    "expected a result for each item of a bulk, found " + items.size() + " results", null);
        }
        Iterator<Item> next = items.listIterator(lineItems);
        Map<String, Item> ofReadings = new HashMap<>();
        readings.forEach(id -> ofReadings.put(id, next.next()));
        Map<String, Item> ofLocks = new HashMap<>();
        shared.sequencedKeySet().forEach(id -> ofLocks.put(id, next.next()));
        List<List<Item>> results = new ArrayList<>();
        int line = 0;
        for (Bulk bulk : bulks) {
            List<Item> own = new ArrayList<>(items.subList(line, line + bulk.lineItems));
            bulk.readings.forEach(id -> own.add(Objects.requireNonNull(ofReadings.get(id))));
            bulk.locks.forEach(update -> own.add(Objects.requireNonNull(ofLocks.get(update.id()))));
            results.add(own);
            line += bulk.lineItems;
        }
        return results;
    }

    private static Lines joined(
            List<Bulk> bulks, SequencedSet<String> readings, SequencedMap<String, List<LockUpdate>> shared) {
        Bulk last = new Bulk();
        readings.forEach(last::addReading);
        shared.forEach((id, together) -> last.update(id, LockUpdate.RETRIES, LockUpdate.body(together)));
        Lines all = new Lines();
        bulks.forEach(bulk -> all.write(bulk.lines.buffer(), 0, bulk.lines.size()));
        all.write(last.lines.buffer(), 0, last.lines.size());
        return all;
    }
}
