package org.treerename.elastic;

import co.elastic.clients.elasticsearch.core.MgetResponse;
import co.elastic.clients.elasticsearch.core.get.GetResult;
import co.elastic.clients.elasticsearch.core.mget.MultiGetResponseItem;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.treerename.namespace.TreeProblem;
import org.treerename.store.LaterFormatException;
import org.treerename.store.NoAnswerException;
import org.treerename.store.RefusedException;
import org.treerename.store.Version;
import org.treerename.store.Versioned;
import org.treerename.store.WriteResult;

/**
 * The client of the control index. The index contains lock tables, journal entries, process documents, definitions
 * of namespaces and some more documents. The index has one primary shard, so Elasticsearch applies the items of a bulk
 * in their order. For the same reason, the sequence numbers of the commits define a total order of all commits. The id
 * of each document begins with the kind of the document.
 *
 * <p>The mapping names only the fields that a search uses, because each indexed field makes a write more expensive.
 * Elasticsearch stores and returns all other fields, but does not index them. So a later version of the programs can
 * add fields to the documents of an existing index.
 */
public final class ControlIndex {

    /**
     * The version of the format of the stored documents. It becomes higher if a process that does not know a change of
     * the format would misread a document, or change it wrongly. A process refuses a document with a higher version.
     */
    static final int PROTOCOL = 1;

    private static final Logger log = LoggerFactory.getLogger(ControlIndex.class);
    private static final List<String> RIGHTS = List.of("view_index_metadata", "read", "write", "maintenance");
    private static final List<String> RIGHTS_TO_CREATE = List.of("create_index");

    /** With two, one bulk is sent while the answer to the other arrives. With more, each would only be smaller. */
    private static final int BULKS_UNDER_WAY = 2;

    private static final int BULK_BYTES = 4 * 1024 * 1024;

    private final Elastic elastic;
    private final String name;
    private final GroupCommit<Bulk, List<Bulk.Item>> bulks;

    /**
     * Creates a client of the control index. The installation of {@code elastic} determines the name of the index.
     * Threads that use the same client share bulk requests (group commit).
     */
    public ControlIndex(Elastic elastic) {
        this.elastic = elastic;
        this.name = elastic.installation().controlIndex();
        this.bulks = new GroupCommit<>(
                new GroupCommit.Limits<>(BULKS_UNDER_WAY, BULK_BYTES, Bulk::bytes),
                elastic::asking,
                group -> Bulk.send(group, elastic, path("_bulk")));
    }

    public String name() {
        return name;
    }

    private String path(String api) {
        return "/" + name + "/" + api;
    }

    /**
     * Returns the first problem with the privileges of this process. Returns empty if no privilege is missing, or if
     * the security of Elasticsearch is off.
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
            elastic.raw().put("/" + name + "?wait_for_active_shards=1", ControlIndexDefinition.body());
            log.info("created the control index {}", name);
        } catch (RefusedException e) {
            if (!isThere()) {
                throw e;
            }
        }
    }

    /**
     * Returns the reason why the programs of this project cannot use the index; empty if the index is usable. If the
     * index was deleted, a later write may have created an index with a wrong number of shards and a wrong mapping.
     */
    public Optional<TreeProblem> unusable() {
        return ControlIndexDefinition.difference(
                        Json.field(elastic.raw().get("/" + name).json(), name))
                .map(difference -> TreeProblem.lasting(
                        "the control index " + name + " does not have the settings and the mapping of tree rename ("
                                + difference + ")",
                        "stop all workers, janitors and writers, delete the index, and start these processes again;"
                                + " then audit the trees, because the journal and the locks of the renames in progress"
                                + " are lost"));
    }

    public boolean isThere() {
        return elastic.raw().get("/" + name).isOk();
    }

    /** Returns the uuid of the index. An index that is created again under the same name has a new uuid. */
    String uuid() {
        JsonNode settings = elastic.raw().get(path("_settings")).json();
        String uuid =
                settings.path(name).path("settings").path("index").path("uuid").asText();
        if (uuid.isEmpty()) {
            throw new IllegalStateException("there is no control index " + name
                    + "; a worker or a janitor creates this index when the worker or the janitor starts");
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
     * Reads a document in real time. Returns empty if the document does not exist, or if the answering node is cut off
     * from the cluster and does not have the document.
     */
    Optional<Versioned<JsonNode>> read(String id) {
        return read(elastic, List.of(id)).stream().findFirst();
    }

    /** Reads several documents in real time, in one request. Omits documents that the answering node does not find. */
    List<Versioned<JsonNode>> read(List<String> ids) {
        return ids.isEmpty() ? List.of() : read(elastic, ids);
    }

    /** Reads a document in real time, from a node that is not cut off from the cluster. */
    Optional<Versioned<JsonNode>> readForCertain(String id) {
        return read(refreshed(), List.of(id)).stream().findFirst();
    }

    private List<Versioned<JsonNode>> read(Elastic node, List<String> ids) {
        MgetResponse<JsonNode> answer =
                node.ask(client -> client.mget(m -> m.index(name).ids(ids), JsonNode.class));
        if (answer.docs().size() != ids.size()) {
            throw new NoAnswerException(
                    "expected an item for each document (documents: " + ids.size() + "), found " + answer, null);
        }
        return answer.docs().stream().flatMap(this::read).toList();
    }

    private Stream<Versioned<JsonNode>> read(MultiGetResponseItem<JsonNode> item) {
        if (item.isFailure()) {
            if (AnswerStatus.NO_INDEX.equals(item.failure().error().type())) {
                throw missing();
            }
            throw new NoAnswerException("the read of " + item.failure().id() + " failed: " + item.failure(), null);
        }
        GetResult<JsonNode> document = item.result();
        if (!document.found()) {
            return Stream.empty();
        }
        if (document.source() == null || document.seqNo() == null || document.primaryTerm() == null) {
            throw new NoAnswerException("the read of " + document.id() + " returned no document", null);
        }
        return Stream.of(new Versioned<>(document.source(), new Version(document.seqNo(), document.primaryTerm())));
    }

    /** Deletes a document if it still has the version {@code seen}. */
    WriteResult delete(String id, Version seen) {
        Bulk bulk = new Bulk();
        bulk.delete(id, seen);
        Bulk.Item item = send(bulk).getFirst();
        return item.isMissing() ? new WriteResult.Conflict() : item.result();
    }

    /** Returns an object that searches this index. */
    ControlSearch search() {
        return new ControlSearch(name, this::refreshed);
    }

    /** Returns a node that refreshed every shard copy. A node that is cut off from the cluster cannot do this. */
    private Elastic refreshed() {
        return elastic.refreshed(name).orElseThrow(this::missing);
    }

    private NoAnswerException missing() {
        return new NoAnswerException(
                "there is no control index " + name
                        + "; start a janitor, which creates the index, or correct --prefix; if a worker or a janitor"
                        + " has just started, wait some seconds",
                null);
    }

    /** Throws if a document has a higher protocol version than this process supports. */
    static void refuseLater(JsonNode document) {
        int protocol = document.path("protocol").asInt();
        if (protocol > PROTOCOL) {
            throw new LaterFormatException("a document of the kind "
                    + document.path("kind").asText()
                    + " was written under protocol " + protocol + ", but this process knows only protocol " + PROTOCOL
                    + "; update this program");
        }
    }
}
