package org.treerename.elastic;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.treerename.journal.Subject;
import org.treerename.journal.WriteTarget;
import org.treerename.request.OnExisting;
import org.treerename.request.ParsedRequest;
import org.treerename.request.ParsedRequest.InvalidRequest;
import org.treerename.request.ParsedRequest.RenameRequest;
import org.treerename.request.TraceContext;

/** Reads and writes the request of a stored journal entry, in the format that {@link EntryJson} describes. */
final class SubjectJson {

    private SubjectJson() {}

    static ObjectNode write(Subject subject) {
        ObjectNode json = Json.object();
        switch (subject) {
            case Subject.Delivered delivered -> {
                json.put("requested_by", delivered.asked().requestedBy());
                if (delivered.asked() instanceof RenameRequest request) {
                    write(request, json);
                }
            }
            case Subject.Writes writes -> {
                json.putNull("requested_by").put("namespace", writes.target().namespace());
                writes.target().directories().forEach(json.putArray("directories")::add);
            }
            case Subject.Unknown unknown -> json.putNull("requested_by");
        }
        return json;
    }

    private static void write(RenameRequest request, ObjectNode json) {
        json.put("namespace", request.namespace())
                .put("source", request.source())
                .put("destination", request.destination())
                .put("on_existing", request.onExisting().name().toLowerCase(Locale.ROOT))
                .put("replay_of", request.replayOf());
        if (request.version() != null) {
            json.put("version", request.version());
        }
        if (request.sourceId() != null) {
            json.put("source_id", request.sourceId());
        }
        TraceContext trace = request.trace();
        if (trace != null) {
            json.put(TraceContext.PARENT, trace.traceparent()).put(TraceContext.STATE, trace.tracestate());
        }
    }

    static Subject read(JsonNode entry) {
        JsonNode json = entry.path("request");
        String digest = entry.required("digest").asText();
        if (json.has("directories")) {
            List<String> directories = new ArrayList<>();
            json.path("directories").forEach(directory -> directories.add(directory.asText()));
            return new Subject.Writes(new WriteTarget(json.required("namespace").asText(), directories), digest);
        }
        Subject.Delivered delivered = new Subject.Delivered(asked(entry, json), digest, EntryJson.place(entry));
        return digest.isEmpty() ? new Subject.Unknown() : delivered;
    }

    private static ParsedRequest asked(JsonNode entry, JsonNode json) {
        String requestId = entry.required("request_id").asText();
        String requestedBy = json.path("requested_by").textValue();
        if (!json.has("source")) {
            return new InvalidRequest(requestId, requestedBy, "");
        }
        return new RenameRequest(
                requestId,
                json.required("namespace").asText(),
                json.required("source").asText(),
                json.required("destination").asText(),
                OnExisting.valueOf(json.required("on_existing").asText().toUpperCase(Locale.ROOT)),
                requestedBy,
                json.path("replay_of").textValue(),
                TraceContext.of(
                                json.path(TraceContext.PARENT).textValue(),
                                json.path(TraceContext.STATE).textValue())
                        .orElse(null),
                json.path("version").isNumber() ? (Long) json.path("version").asLong() : null,
                json.path("source_id").textValue());
    }
}
