package org.treerename.elastic;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Consumer;
import org.treerename.process.Pause;
import org.treerename.process.PauseStore;
import org.treerename.store.Version;
import org.treerename.store.Versioned;
import org.treerename.store.WriteResult;

/**
 * Stores the pause of all workers in the control index. The index contains at most one pause document, with the id
 * {@code pause:workers}:
 *
 * <pre>{@code
 * { "kind": "pause", "protocol": 1, "started_at": "…", "request": { "requested_by": "…" } }
 * }</pre>
 *
 * Whatever the version of its format is, this document pauses the workers.
 */
public final class ElasticPauseStore implements PauseStore {

    private static final String ID = "pause:workers";

    private final ControlIndex control;

    public ElasticPauseStore(ControlIndex control) {
        this.control = control;
    }

    @Override
    public Optional<Versioned<Pause>> read() {
        return control.readForCertain(ID).map(found -> new Versioned<>(pause(found.value()), found.version()));
    }

    @Override
    public WriteResult create(Pause pause) {
        ObjectNode json = Json.object()
                .put("kind", "pause")
                .put("protocol", ControlIndex.PROTOCOL)
                .put("started_at", pause.since().toString());
        json.putObject("request").put("requested_by", pause.by());
        return control.create(ID, json);
    }

    @Override
    public WriteResult delete(Version seen) {
        return control.delete(ID, seen);
    }

    /** Adds an item to a bulk. The item reads the pause, on the same shard as the other items of the bulk. */
    static void addReading(Bulk bulk) {
        bulk.reading(ID);
    }

    /**
     * Passes the result of a read item to a consumer: the pause, or empty if there is no pause. Does nothing if the
     * item failed.
     */
    static void report(Bulk.Item item, Consumer<Optional<Pause>> consumer) {
        if (item.isAbsent()) {
            consumer.accept(Optional.empty());
        } else if (item.isOk() && item.source().isObject()) {
            consumer.accept(Optional.of(pause(item.source())));
        }
    }

    private static Pause pause(JsonNode json) {
        return new Pause(
                Instant.parse(json.required("started_at").asText()),
                json.path("request").path("requested_by").asText());
    }
}
