package org.treerename.elastic;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Consumer;
import org.treerename.process.Pause;
import org.treerename.store.Version;
import org.treerename.store.Versioned;
import org.treerename.store.WriteResult;

/**
 * The one pause of all workers in the control index, under {@code pause:workers}:
 *
 * <pre>{@code
 * { "kind": "pause", "protocol": 1, "started_at": "…", "request": { "requested_by": "…" } }
 * }</pre>
 *
 * The fields are such as the index has had from its beginning. Any thread may call it; each call may throw {@link
 * org.treerename.store.NoAnswerException}.
 */
public final class ElasticPauseStore {

    private static final String ID = "pause:workers";

    private final ControlIndex control;

    public ElasticPauseStore(ControlIndex control) {
        this.control = control;
    }

    /** The pause that stands; empty if none does. */
    public Optional<Versioned<Pause>> read() {
        return control.readForCertain(ID).map(found -> new Versioned<>(pause(found.value()), found.version()));
    }

    /** Writes a pause where none stands. */
    public WriteResult create(Pause pause) {
        ObjectNode json = Json.object()
                .put("kind", "pause")
                .put("protocol", ControlIndex.PROTOCOL)
                .put("started_at", pause.since().toString());
        json.putObject("request").put("requested_by", pause.by());
        return control.create(ID, json);
    }

    /** Deletes it if it is still in the version {@code seen}. */
    public WriteResult delete(Version seen) {
        return control.delete(ID, seen);
    }

    /** Adds an item that reads it where the other items are written. */
    static void addReading(Bulk bulk) {
        bulk.reading(ID);
    }

    /** Tells what the answer to such an item says, if it says anything. */
    static void tell(Bulk.Item item, Consumer<Optional<Pause>> told) {
        if (item.isAbsent()) {
            told.accept(Optional.empty());
        } else if (item.isOk() && item.source().isObject()) {
            told.accept(Optional.of(pause(item.source())));
        }
    }

    private static Pause pause(JsonNode json) {
        return new Pause(
                Instant.parse(json.required("started_at").asText()),
                json.path("request").path("requested_by").asText());
    }
}
