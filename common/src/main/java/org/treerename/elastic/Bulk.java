package org.treerename.elastic;

import co.elastic.clients.elasticsearch._types.VersionType;
import co.elastic.clients.elasticsearch.core.bulk.BulkOperation;
import co.elastic.clients.elasticsearch.core.bulk.BulkOperationBase;
import co.elastic.clients.elasticsearch.core.bulk.UpdateAction;
import co.elastic.clients.util.BinaryData;
import co.elastic.clients.util.ContentType;
import co.elastic.clients.util.ObjectBuilder;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SequencedMap;
import java.util.SequencedSet;
import java.util.function.Function;
import org.treerename.store.NoAnswerException;
import org.treerename.store.RefusedException;
import org.treerename.store.Version;
import org.treerename.store.WriteResult;
import org.treerename.tree.Condition;
import org.treerename.tree.Document;

/**
 * A bulk request, or one thread's part of a bulk request. A shard applies the items in their order. A bulk is not
 * atomic: the items after a failed item still run. Reads of documents run after all writes. Lock updates run after all
 * other items, even if one request contains the parts of several threads. So the journal entry of a rename is
 * written before the locks of the rename.
 */
final class Bulk {

    private static final int NOT_FOUND = 404;
    private static final int CONFLICT = 409;

    /** The maximum number of bytes of an item that reads a document. */
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

        /** Returns the document as this item left it; a missing node if the item did not request the document. */
        JsonNode source() {
            return json.path("get").path("_source");
        }

        String reason() {
            return status + " " + errorType() + ": "
                    + json.path("error").path("reason").asText();
        }

        /**
         * Returns the result of a conditional write of a document in the control index.
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

        /** Returns whether this read item found that the document does not exist. */
        boolean isAbsent() {
            JsonNode found = json.path("get").path("found");
            return isOk() && found.isBoolean() && !found.booleanValue();
        }

        /** Returns whether the index exists, but does not contain the document. */
        boolean isMissing() {
            return status == NOT_FOUND && !AnswerStatus.isUnavailable(status, errorType());
        }

        /**
         * Returns the exception for a failed write of a document in the control index. Treats a conflict as no answer,
         * not as a refusal. After a conflict the caller may retry, because another process wrote the document at the
         * same moment.
         */
        RuntimeException failure() {
            String message = "a write of " + json.path("_id").asText() + " failed: " + reason();
            return status == CONFLICT
                            || AnswerStatus.isTransient(status)
                            || AnswerStatus.isUnavailable(status, errorType())
                    ? new NoAnswerException(message, null)
                    : new RefusedException(message);
        }

        String errorType() {
            return json.path("error").path("type").asText();
        }

        /** Returns whether the index has a block. An operator must correct its cause, for example a full disk. */
        boolean isBlocked() {
            return errorType().equals(AnswerStatus.BLOCK);
        }
    }

    /** The id and the routing value of a document that no program creates. */
    private static final String NO_DOCUMENT = "tree-rename-no-document";

    private final Lines lines = new Lines();
    private final SequencedSet<String> treeIndices = new LinkedHashSet<>();
    private final List<String> readings = new ArrayList<>();
    private final List<LockUpdate> locks = new ArrayList<>();
    private int lineItems;
    private int lockBytes;

    int items() {
        return lineItems + readings.size() + locks.size();
    }

    void create(String id, JsonNode document) {
        add(operation -> operation.create(create -> create.id(id).document(document)));
    }

    void index(String id, Version seen, JsonNode document) {
        add(operation -> operation.index(index -> ifSeen(index.id(id), seen).document(document)));
    }

    /** Adds an item that writes a document of a tree. */
    void index(Document.Ref ref, Condition condition, byte[] document) {
        BinaryData unchanged = BinaryData.of(document, ContentType.APPLICATION_JSON);
        add(operation ->
                operation.index(index -> conditional(index, ref, condition).document(unchanged)));
    }

    /** Adds an item that updates a document which does not exist, in an index of a tree. The item writes nothing. */
    void updateNothing(String index) {
        treeIndices.add(index);
        add(operation -> nothing(operation, index, false));
    }

    void delete(String id, Version seen) {
        add(operation -> operation.delete(delete -> ifSeen(delete.id(id), seen)));
    }

    /** Adds an item that deletes a document of a tree. */
    void delete(Document.Ref ref, Condition condition) {
        add(operation -> operation.delete(delete -> conditional(delete, ref, condition)));
    }

    void update(String id, int retries, UpdateAction<JsonNode, JsonNode> action) {
        add(operation -> operation.<JsonNode, JsonNode>update(
                update -> update.id(id).retryOnConflict(retries).action(action)));
    }

    private void add(Function<BulkOperation.Builder, ObjectBuilder<BulkOperation>> operation) {
        lines.add(BulkOperation.of(operation));
        lineItems++;
    }

    private static ObjectBuilder<BulkOperation> nothing(
            BulkOperation.Builder operation, String index, boolean requiresAlias) {
        return operation.<JsonNode, JsonNode>update(update -> update.index(index)
                .id(NO_DOCUMENT)
                .routing(NO_DOCUMENT)
                .requireAlias(requiresAlias)
                .action(UpdateAction.of(action -> action.doc(Json.object()))));
    }

    private static <B extends BulkOperationBase.AbstractBuilder<B>> B ifSeen(B operation, Version version) {
        return operation.ifSeqNo(version.seqNo()).ifPrimaryTerm(version.primaryTerm());
    }

    private <B extends BulkOperationBase.AbstractBuilder<B>> B conditional(
            B operation, Document.Ref ref, Condition condition) {
        treeIndices.add(ref.index());
        operation.index(ref.index()).id(ref.id()).routing(ref.routing());
        return switch (condition) {
            case Condition.AsRead asRead -> ifSeen(operation, ref.version());
            case Condition.Above(long version, boolean orEqual) ->
                operation.version(version).versionType(orEqual ? VersionType.ExternalGte : VersionType.External);
        };
    }

    /**
     * Adds an item that reads a document. The item runs on the shard of the other items, after all writes of the
     * request. {@link Item#source} returns the document. If the document does not exist, {@link Item#isAbsent} returns
     * true. If several bulks in one request read the same document, they share one item.
     */
    void reading(String id) {
        readings.add(id);
    }

    /** Adds a scripted upsert that changes nothing, because a plain update of a missing document fails. */
    private void addReading(String id) {
        update(id, 0, Script.READ.upsert(Json.object()));
    }

    /**
     * Adds a lock update. Lock updates run after all other items. {@code send} may merge the update with other updates
     * of the same table, but returns a separate result for each update.
     */
    void lock(LockUpdate update) {
        locks.add(update);
        lockBytes += update.bytes();
    }

    int bytes() {
        return lines.size() + readings.size() * MOST_BYTES_OF_READING + lockBytes;
    }

    /** Sends this bulk. Returns one result per item, in this order: writes, reads, lock updates. */
    List<Item> send(Elastic elastic, String path) {
        return send(List.of(this), elastic, path).getFirst();
    }

    /**
     * Sends several bulks as one request. Returns one list for each bulk. Each list contains the results of the writes,
     * the reads and the lock updates, in this order.
     */
    static List<List<Item>> send(List<Bulk> bulks, Elastic elastic, String path) {
        SequencedSet<String> readings = new LinkedHashSet<>();
        bulks.forEach(bulk -> readings.addAll(bulk.readings));
        SequencedMap<String, List<LockUpdate>> shared = LockUpdate.shared(
                bulks.stream().flatMap(bulk -> bulk.locks.stream()).toList());
        boolean isOne = bulks.size() == 1 && readings.isEmpty() && shared.isEmpty();
        Lines all = isOne ? bulks.getFirst().lines : joined(bulks, readings, shared);
        int guards = addGuards(bulks, all);
        List<Item> items = BulkAnswer.items(elastic.raw().post(path, all));
        int lineItems = bulks.stream().mapToInt(bulk -> bulk.lineItems).sum();
        int sent = lineItems + readings.size() + shared.size() + guards;
        if (items.size() != sent) {
            throw new NoAnswerException(
                    "expected a result for each item of a bulk request (items: " + sent + ", results: " + items.size()
                            + ")",
                    null);
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

    /**
     * Adds an item for each index of a tree that requires an alias, and so always fails. Such an item keeps
     * Elasticsearch from creating a missing index, so a late bulk does not create an index again that was deleted.
     */
    private static int addGuards(List<Bulk> bulks, Lines all) {
        SequencedSet<String> indices = new LinkedHashSet<>();
        bulks.forEach(bulk -> indices.addAll(bulk.treeIndices));
        indices.forEach(index -> all.add(BulkOperation.of(operation -> nothing(operation, index, true))));
        return indices.size();
    }

    private static Lines joined(
            List<Bulk> bulks, SequencedSet<String> readings, SequencedMap<String, List<LockUpdate>> shared) {
        Bulk last = new Bulk();
        readings.forEach(last::addReading);
        shared.forEach((id, together) -> last.update(id, LockUpdate.RETRIES, LockUpdate.body(together)));
        Lines all = new Lines();
        bulks.forEach(bulk -> all.add(bulk.lines));
        all.add(last.lines);
        return all;
    }
}
