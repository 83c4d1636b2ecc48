package org.treerename.elastic;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.treerename.process.Pause;
import org.treerename.process.ProcessDocument;
import org.treerename.process.ProcessId;
import org.treerename.process.ProcessState;
import org.treerename.process.ProcessStore;
import org.treerename.store.RefusedException;
import org.treerename.store.Version;
import org.treerename.store.Versioned;
import org.treerename.store.WriteResult;

/**
 * Stores the process documents in the control index. The id of a process document is
 * {@code process:}, followed by the process id. An example of a document:
 *
 * <pre>{@code
 * { "kind": "process", "protocol": 1, "process_id": "…", "service": "worker", "host": "…", "state": "live",
 *   "heartbeat": 0, "lease_millis": 30000, "started_at": "…", "control_index_uuid": "…", "running": 0 }
 * }</pre>
 */
public final class ElasticProcessStore implements ProcessStore {

    private final ControlIndex control;
    private final @Nullable Consumer<Optional<Pause>> paused;

    public ElasticProcessStore(ControlIndex control) {
        this(control, null);
    }

    /**
     * Creates a store that reads the pause of the workers at each write. The read is in the same request as the write,
     * and runs after the write.
     *
     * @param paused receives the current pause, or empty if there is no pause, before the write returns; null if the
     *     pause is not needed
     */
    public ElasticProcessStore(ControlIndex control, @Nullable Consumer<Optional<Pause>> paused) {
        this.control = control;
        this.paused = paused;
    }

    private static String id(ProcessId id) {
        return "process:" + id.text();
    }

    @Override
    public WriteResult create(ProcessDocument document) {
        Bulk bulk = new Bulk();
        bulk.create(id(document.id()), json(document));
        return send(bulk);
    }

    @Override
    public WriteResult write(ProcessDocument document, Version seen) {
        Bulk bulk = new Bulk();
        bulk.index(id(document.id()), seen, json(document));
        return send(bulk);
    }

    private WriteResult send(Bulk write) {
        if (paused == null) {
            return control.send(write).getFirst().result();
        }
        ElasticPauseStore.addReading(write);
        List<Bulk.Item> items = control.send(write);
        ElasticPauseStore.report(items.getLast(), paused);
        return items.getFirst().result();
    }

    @Override
    public Optional<Versioned<ProcessDocument>> read(ProcessId id) {
        return control.read(id(id)).map(found -> new Versioned<>(document(found.value()), found.version()));
    }

    @Override
    public List<Versioned<ProcessDocument>> read(Collection<ProcessId> ids) {
        return control.read(ids.stream().map(ElasticProcessStore::id).toList()).stream()
                .map(found -> new Versioned<>(document(found.value()), found.version()))
                .toList();
    }

    private List<JsonNode> all(ProcessState state) {
        return control.search().all(ControlSearch.having("process", "state", Stream.of(state.stored())));
    }

    @Override
    public List<ProcessId> ids(ProcessState state) {
        return all(state).stream()
                .map(json -> new ProcessId(json.required("process_id").asText()))
                .toList();
    }

    @Override
    public List<ProcessDocument> in(ProcessState state) {
        return all(state).stream()
                .filter(json -> json.path("protocol").asInt() <= ControlIndex.PROTOCOL)
                .map(ElasticProcessStore::document)
                .toList();
    }

    @Override
    public WriteResult delete(ProcessId id, Version seen) {
        return control.delete(id(id), seen);
    }

    @Override
    public String controlIndexUuid() {
        return control.uuid();
    }

    private static JsonNode json(ProcessDocument document) {
        return Json.object()
                .put("kind", "process")
                .put("protocol", ControlIndex.PROTOCOL)
                .put("process_id", document.id().text())
                .put("service", document.service())
                .put("host", document.host())
                .put("state", document.state().stored())
                .put("heartbeat", document.heartbeat())
                .put("lease_millis", document.lease().toMillis())
                .put("started_at", document.startedAt().toString())
                .put("control_index_uuid", document.controlIndexUuid())
                .put("running", document.running());
    }

    private static ProcessDocument document(JsonNode json) {
        ControlIndex.refuseLater(json);
        try {
            return decoded(json);
        } catch (IllegalArgumentException | DateTimeParseException e) {
            throw new RefusedException(
                    "the document of the process " + json.path("process_id").asText() + " is damaged: " + e, e);
        }
    }

    private static ProcessDocument decoded(JsonNode json) {
        return new ProcessDocument(
                new ProcessId(json.required("process_id").asText()),
                json.required("service").asText(),
                json.required("host").asText(),
                ProcessState.ofStored(json.required("state").asText()),
                json.required("heartbeat").asLong(),
                Duration.ofMillis(json.required("lease_millis").asLong()),
                Instant.parse(json.required("started_at").asText()),
                json.required("control_index_uuid").asText(),
                json.path("running").asInt());
    }
}
