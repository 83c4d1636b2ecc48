package org.treerename.elastic;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.treerename.namespace.TreeProblem;
import org.treerename.store.NoAnswerException;
import org.treerename.store.RefusedException;
import org.treerename.store.Version;
import org.treerename.store.Versioned;
import org.treerename.store.WriteResult;

/**
 * The index of the lock tables, journal entries, processes and namespaces. It has one primary shard. So Elasticsearch
 * applies the items of a bulk in their order. The sequence numbers of the commits are a total order of all commits. The
 * id of a document begins with its kind.
 *
 * <p>The mapping indexes only the fields that a search uses, because each indexed field makes a write more expensive.
 * All other fields are disabled: Elasticsearch stores and returns them, and does not parse them.
 */
public final class ControlIndex {

    /** The version of the stored documents. A process refuses a document with a higher version. */
    static final int PROTOCOL = 1;

    private static final Logger log = LoggerFactory.getLogger(ControlIndex.class);
    private static final String DEFINITION = "control-index.json";
    private static final List<String> RIGHTS = List.of("view_index_metadata", "read", "write", "maintenance");
    private static final List<String> RIGHTS_TO_CREATE = List.of("create_index");

    private static final int NOT_FOUND = 404;

    private static final int PAGE = 1_000;

    /** The maximum number of different values of a field in one count. */
    private static final int MOST_VALUES = 10_000;

    /**
     * The maximum number of bulks in progress: the client sends one bulk while it receives the answer to the previous
     * bulk. A higher number would only make the groups smaller.
     */
    private static final int BULKS_UNDER_WAY = 2;

    private static final int BULK_BYTES = 4 * 1024 * 1024;

    private final Elastic elastic;
    private final String name;
    private final GroupCommit<Bulk, List<Bulk.Item>> bulks;

    /**
     * Creates a client of the control index of the client's installation. Threads that share this object also share
     * bulk requests (group commit).
     */
    public ControlIndex(Elastic elastic) {
        this.elastic = elastic;
        this.name = elastic.installation().controlIndex();
        this.bulks = new GroupCommit<>(
                new GroupCommit.Limits<>(BULKS_UNDER_WAY, BULK_BYTES, Bulk::bytes),
                elastic::asking,
                group -> Bulk.send(group, elastic, path("_bulk")));
    }

    /** Returns the name of the index. */
    public String name() {
        return name;
    }

    private String path(String api) {
        return "/" + name + "/" + api;
    }

    /**
     * Returns the privileges that this process needs and lacks. Returns empty if no privilege is missing, or if
     * security is off.
     */
    public Optional<TreeProblem> forbidden() {
        Rights rights = new Rights(elastic);
        List<TreeProblem> missing = rights.missing(List.of(name), RIGHTS);
        if (missing.isEmpty() && !isThere()) {
            missing = rights.missing(List.of(name), RIGHTS_TO_CREATE);
        }
        return missing.stream().findFirst();
    }

    /** Creates the index if it does not exist. Does not change an index that exists. */
    public void create() {
        if (isThere()) {
            return;
        }
        try {
            elastic.put("/" + name + "?wait_for_active_shards=1", Json.resource(DEFINITION));
            log.info("created the control index {}", name);
        } catch (RefusedException e) {
            if (!isThere()) {
                throw e;
            }
        }
    }

    /**
     * Returns the reason why the protocol cannot use this index; empty if the index is usable. If the index was
     * deleted, a write may have created it again with other shards and another mapping.
     */
    public Optional<TreeProblem> unusable() {
        JsonNode expected = Json.resource(DEFINITION);
        JsonNode found = Json.field(elastic.get("/" + name).json(), name);
        String shards =
                found.path("settings").path("index").path("number_of_shards").asText();
        String expectedShards =
                expected.path("settings").path("index.number_of_shards").asText();
        if (!shards.equals(expectedShards)) {
            return Optional.of(unusable("shards: expected " + expectedShards + ", found " + shards));
        }
        JsonNode mappings = found.path("mappings");
        String dynamic = expected.path("mappings").path("dynamic").asText();
        if (!mappings.path("dynamic").asText().equals(dynamic)) {
            return Optional.of(unusable("dynamic mapping: expected " + dynamic + ", found "
                    + mappings.path("dynamic").asText("true")));
        }
        return expected.path("mappings").path("properties").properties().stream()
                .filter(field -> !isMappedAs(
                        field.getValue(), mappings.path("properties").path(field.getKey())))
                .findFirst()
                .map(field -> unusable("the field " + field.getKey() + ": expected " + field.getValue() + ", found "
                        + mappings.path("properties").path(field.getKey())));
    }

    private TreeProblem unusable(String difference) {
        return TreeProblem.lasting(
                "the control index " + name + " was not created by this program (" + difference + ")",
                "stop all workers, janitors and writers, delete it, start them again, and audit the trees: the journal and the"
                        + " locks of renames that were under way are lost");
    }

    /**
     * Compares two mappings of a field. Ignores what Elasticsearch omits: the type of an object, and each parameter
     * with its default value.
     */
    private static boolean isMappedAs(JsonNode expected, JsonNode found) {
        return !found.isMissingNode()
                && expected.path("type")
                        .asText("object")
                        .equals(found.path("type").asText("object"))
                && expected.path("enabled").asBoolean(true)
                        == found.path("enabled").asBoolean(true)
                && expected.path("index").asBoolean(true) == found.path("index").asBoolean(true)
                && expected.path("doc_values").asBoolean(true)
                        == found.path("doc_values").asBoolean(true);
    }

    public boolean isThere() {
        return elastic.get("/" + name).isOk();
    }

    /** Returns the uuid of the index. An index that is created again under the same name has a new uuid. */
    String uuid() {
        JsonNode settings = elastic.get(path("_settings")).json();
        String uuid =
                settings.path(name).path("settings").path("index").path("uuid").asText();
        if (uuid.isEmpty()) {
            throw new IllegalStateException("the index " + name + " does not exist; create it first");
        }
        return uuid;
    }

    /**
     * Sends a bulk, perhaps in one request with the bulks of other threads. The items of each bulk keep their order.
     * Returns one result per item.
     */
    List<Bulk.Item> send(Bulk bulk) {
        return bulks.ask(bulk);
    }

    WriteResult create(String id, JsonNode document) {
        Bulk bulk = new Bulk();
        bulk.create(id, document);
        return send(bulk).getFirst().result();
    }

    WriteResult write(String id, Version seen, JsonNode document) {
        Bulk bulk = new Bulk();
        bulk.index(id, seen, document);
        return send(bulk).getFirst().result();
    }

    /**
     * Reads a document in real time. Returns empty if the document does not exist, or if the node is cut off from the
     * cluster and does not have the document.
     */
    Optional<Versioned<JsonNode>> read(String id) {
        return read(elastic, List.of(id)).stream().findFirst();
    }

    /** Reads several documents in real time, in one request. Omits documents that the node does not have. */
    List<Versioned<JsonNode>> read(List<String> ids) {
        return ids.isEmpty() ? List.of() : read(elastic, ids);
    }

    /** Reads a document in real time, from a node that is not cut off from the cluster. */
    Optional<Versioned<JsonNode>> readForCertain(String id) {
        return read(refreshed(), List.of(id)).stream().findFirst();
    }

    private List<Versioned<JsonNode>> read(Elastic elastic, List<String> ids) {
        ObjectNode body = Json.object();
        ids.forEach(body.putArray("ids")::add);
        JsonNode answer = elastic.post(path("_mget"), body).json();
        List<Versioned<JsonNode>> found = new ArrayList<>();
        for (int i = 0; i < ids.size(); i++) {
            JsonNode document = answer.path("docs").path(i);
            if (document.path("error").path("type").asText().equals(Elastic.NO_INDEX)) {
                throw missing();
            }
            if (document.has("error") || document.isMissingNode()) {
                throw new NoAnswerException("the read of " + ids.get(i) + " failed: " + document, null);
            }
            if (Json.field(document, "found").asBoolean()) {
                found.add(versioned(document));
            }
        }
        return found;
    }

    /** Deletes a document if it still has the version {@code seen}. */
    WriteResult delete(String id, Version seen) {
        Bulk bulk = new Bulk();
        bulk.delete(id, seen);
        Bulk.Item item = send(bulk).getFirst();
        return item.isMissing() ? new WriteResult.Conflict() : item.result();
    }

    /** Refreshes and returns the first matching documents in the order of a date field, the earliest first. */
    List<Versioned<JsonNode>> first(JsonNode query, String date, int most) {
        return ordered(query, date, "asc", most);
    }

    /** Refreshes and returns the last matching documents in the order of a date field, the latest first. */
    List<Versioned<JsonNode>> last(JsonNode query, String date, int most) {
        return ordered(query, date, "desc", most);
    }

    private List<Versioned<JsonNode>> ordered(JsonNode query, String date, String order, int most) {
        ObjectNode body = Json.object().put("size", most).put("seq_no_primary_term", true);
        body.set("query", query);
        body.putArray("sort").addObject().put(date, order);
        List<Versioned<JsonNode>> found = new ArrayList<>();
        hits(refreshed(), path("_search"), body).forEach(hit -> found.add(versioned(hit)));
        return found;
    }

    private static Versioned<JsonNode> versioned(JsonNode document) {
        Version version = new Version(
                Json.field(document, "_seq_no").asLong(),
                Json.field(document, "_primary_term").asLong());
        return new Versioned<>(Json.field(document, "_source"), version);
    }

    /**
     * Refreshes and returns the next page of the matching documents.
     *
     * @param sort the fields that define the order; no two documents have the same values in these fields
     * @param after the values of the last document of the previous page in these fields; null for the first page
     */
    List<JsonNode> next(JsonNode query, ArrayNode sort, @Nullable ArrayNode after, int most) {
        ObjectNode body = Json.object().put("size", most);
        body.set("query", query);
        body.set("sort", sort);
        if (after != null) {
            body.set("search_after", after);
        }
        List<JsonNode> found = new ArrayList<>();
        hits(refreshed(), path("_search"), body).forEach(hit -> found.add(Json.field(hit, "_source")));
        return found;
    }

    /**
     * Refreshes and counts the matching documents for each value of a field. Returns objects with {@code key} and
     * {@code doc_count}.
     */
    JsonNode counted(JsonNode query, String field) {
        ObjectNode body = Json.object().put("size", 0);
        body.set("query", query);
        body.putObject("aggs")
                .putObject("values")
                .putObject("terms")
                .put("field", field)
                .put("size", MOST_VALUES);
        JsonNode aggregations = Json.field(search(refreshed(), path("_search"), body), "aggregations");
        return Json.field(aggregations.path("values"), "buckets");
    }

    /**
     * Refreshes and returns all matching documents. The documents are as they were at one moment, on the node that
     * refreshed.
     */
    List<JsonNode> all(JsonNode query) {
        List<JsonNode> found = new ArrayList<>();
        each(query, PAGE, found::add);
        return found;
    }

    /** Passes each document that matches to a consumer, after a refresh. Only one page of {@code most} documents is in memory. */
    void each(JsonNode query, int most, Consumer<JsonNode> consumer) {
        ObjectNode body = Json.object().put("size", most);
        eachPage(query, body, page -> page.forEach(hit -> consumer.accept(Json.field(hit, "_source"))));
    }

    /** Passes the ids of all documents that match to a consumer, after a refresh, page by page and in no order. */
    void eachPageOfIds(JsonNode query, Consumer<List<String>> consumer) {
        eachPage(query, ids(), page -> consumer.accept(idsOf(page)));
    }

    /** Returns the ids of all documents that match, after a refresh, ordered by these fields. The last field is unique. */
    List<String> ids(JsonNode query, String... fields) {
        ObjectNode body = ids();
        ArrayNode sort = body.putArray("sort");
        for (String field : fields) {
            sort.add(field);
        }
        List<String> found = new ArrayList<>();
        eachPage(query, body, page -> found.addAll(idsOf(page)));
        return found;
    }

    private static ObjectNode ids() {
        return Json.object().put("_source", false).put("size", PAGE);
    }

    private static List<String> idsOf(JsonNode page) {
        List<String> ids = new ArrayList<>();
        page.forEach(hit -> ids.add(Json.field(hit, "_id").asText()));
        return ids;
    }

    /**
     * Refreshes and passes each page to a consumer. It reads a single page by one search, and several pages from a
     * point in time.
     */
    private void eachPage(JsonNode query, ObjectNode body, Consumer<JsonNode> consumer) {
        Elastic node = refreshed();
        body.set("query", query);
        JsonNode page = hits(node, path("_search"), body);
        if (page.size() < Json.field(body, "size").asInt()) {
            consumer.accept(page);
            return;
        }
        String pit =
                Json.field(node.post(path("_pit?keep_alive=5m")).json(), "id").asText();
        try {
            eachPage(node, body, pit, consumer);
        } finally {
            node.delete("/_pit", Json.object().put("id", pit));
        }
    }

    /**
     * Refreshes every shard copy, and returns the node that executed the refresh. A node that is cut off from the
     * cluster cannot execute it.
     */
    private Elastic refreshed() {
        Elastic.Answer answer = elastic.post(path("_refresh"));
        if (answer.status() == NOT_FOUND) {
            throw missing();
        }
        if (!answer.isOk() || answer.json().path("_shards").path("failed").asInt(-1) != 0) {
            throw new NoAnswerException("the refresh of " + name + " failed: " + answer.json(), null);
        }
        return elastic.at(answer);
    }

    private NoAnswerException missing() {
        return new NoAnswerException(
                "there is no control index " + name
                        + ": expected that a worker or a janitor has created it; start one, or correct --prefix",
                null);
    }

    private void eachPage(Elastic node, ObjectNode body, String pit, Consumer<JsonNode> consumer) {
        if (!body.has("sort")) {
            body.putArray("sort").add("_shard_doc");
        }
        body.putObject("pit").put("id", pit).put("keep_alive", "5m");
        while (true) {
            JsonNode hits = hitsOfPointInTime(node, body);
            consumer.accept(hits);
            if (hits.size() < Json.field(body, "size").asInt()) {
                return;
            }
            body.set("search_after", Json.field(hits.get(hits.size() - 1), "sort"));
        }
    }

    /**
     * Reads a page. The query has already returned a first page. So if it is refused now, the index has become
     * unavailable.
     */
    private JsonNode hitsOfPointInTime(Elastic node, ObjectNode body) {
        try {
            return hits(node, "/_search", body);
        } catch (RefusedException e) {
            throw new NoAnswerException("a point in time of " + name + " was refused: " + e.getMessage(), e);
        }
    }

    private JsonNode hits(Elastic node, String path, ObjectNode body) {
        return Json.field(search(node, path, body).path("hits"), "hits");
    }

    private JsonNode search(Elastic node, String path, ObjectNode body) {
        JsonNode answer =
                node.post(path + "?allow_partial_search_results=false", body).json();
        if (answer.path("timed_out").asBoolean(true)
                || answer.path("_shards").path("failed").asInt(-1) != 0) {
            throw new NoAnswerException("a search of " + name + " returned a partial result", null);
        }
        return answer;
    }

    /** Returns a query for the documents of a kind with one of the values in a field. */
    static ObjectNode having(String kind, String field, Collection<String> values) {
        ObjectNode query = Json.object();
        ArrayNode filter = query.putObject("bool").putArray("filter");
        filter.addObject().putObject("term").put("kind", kind);
        ArrayNode terms = filter.addObject().putObject("terms").putArray(field);
        values.forEach(terms::add);
        return query;
    }

    /** Throws if a document has a higher protocol version than this process supports. */
    static void refuseLater(JsonNode document) {
        int protocol = document.path("protocol").asInt();
        if (protocol > PROTOCOL) {
            throw new RefusedException("a " + document.path("kind").asText() + " was written under protocol " + protocol
                    + ", but this process knows only protocol " + PROTOCOL);
        }
    }
}
