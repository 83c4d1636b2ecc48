package org.treerename.elastic;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.treerename.journal.JournalEntry;
import org.treerename.journal.JournalEntry.Decision;
import org.treerename.journal.JournalEntry.Ending;
import org.treerename.journal.JournalEntry.Ownership;
import org.treerename.journal.JournalEntry.Parking;
import org.treerename.journal.JournalEntry.Progress;
import org.treerename.journal.JournalEntry.Repeats;
import org.treerename.journal.JournalEntry.Waiting;
import org.treerename.journal.State;
import org.treerename.journal.WriteTarget;
import org.treerename.request.OnExisting;
import org.treerename.request.ParsedRequest.RenameRequest;
import org.treerename.request.RecordPosition;
import org.treerename.request.TraceContext;
import org.treerename.store.DamagedException;
import org.treerename.store.Version;
import org.treerename.tree.Document;

/**
 * Reads and writes the stored form of a journal entry. Its id is {@code rename:} and the request id. An unknown value is null:
 *
 * <pre>{@code
 * { "kind": "rename", "protocol": 1, "request_id": "…", "namespace": "files",
 *   "request": { "source": "/a", "destination": "/b", "on_existing": "fail", "requested_by": null }, "digest": "…",
 *   "topic": "rename.requests", "partition": 0, "offset": 0, "requested_at": "…",
 *   "state": "moving", "owner": "<process id>", "epoch": 1, "hold_id": "…",
 *   "waiting": { "refusals": 0, "refused_by": null, "refusal": null },
 *   "expected": 0, "moved": 0, "passes": 0,
 *   "committed_at": "…", "decision": { "committed_by": "<process id>", "own_id": "…", "indices": { "<name>": "<uuid>" },
 *     "removals": [ { "index": "…", "id": "…", "routing": null, "seq_no": 0, "primary_term": 1 } ],
 *     "unreplaced": 0 },
 *   "decided_seq_no": 0, "decided_primary_term": 1,
 *   "finished_at": "…", "outcome": "<the text that is published>",
 *   "parking": { "reason": "…", "documents": ["…"] }, "touches": 0,
 *   "repeated_at": "…", "repeats": [ { "topic": "…", "partition": 0, "offset": 0 } ] }
 * }</pre>
 *
 * The request of a writer's entry has {@code "directories": ["…"]} instead of a source and a destination. Such an entry has an empty topic, no
 * decision and no outcome.
 */
final class EntryJson {

    private static final String PREFIX = "rename:";

    private EntryJson() {}

    static String id(String requestId) {
        return PREFIX + requestId;
    }

    static String requestId(String id) {
        return id.substring(PREFIX.length());
    }

    static JsonNode write(JournalEntry entry) {
        ObjectNode json = Json.object()
                .put("kind", "rename")
                .put("protocol", ControlIndex.PROTOCOL)
                .put("request_id", entry.requestId())
                .put("namespace", entry.namespace().map(EntryJson::shortEnough).orElse(null))
                .put("digest", entry.digest())
                .put("topic", entry.place().topic())
                .put("partition", entry.place().partition())
                .put("offset", entry.place().offset())
                .put("requested_at", entry.requestedAt().toString())
                .put("state", entry.state().name().toLowerCase(Locale.ROOT))
                .put("owner", entry.ownership().processId())
                .put("epoch", entry.ownership().epoch())
                .put("hold_id", entry.ownership().holdId())
                .put("expected", entry.progress().expected())
                .put("moved", entry.progress().moved())
                .put("passes", entry.progress().passes())
                .put(
                        "committed_at",
                        Json.text(entry.decided().map(Decision::committedAt).orElse(null)))
                .put(
                        "finished_at",
                        Json.text(entry.ended().map(Ending::finishedAt).orElse(null)))
                .put("outcome", entry.ended().map(Ending::outcome).orElse(null))
                .put("touches", entry.touches())
                .put("repeated_at", Json.text(entry.repeats().lastAppendedAt()));
        Version decidedIn = entry.decidedIn();
        json.put("decided_seq_no", decidedIn == null ? null : (Long) decidedIn.seqNo());
        json.put("decided_primary_term", decidedIn == null ? null : (Long) decidedIn.primaryTerm());
        json.set("request", request(entry));
        json.set("waiting", waiting(entry.waiting()));
        json.set("decision", decision(entry.decision(), entry.progress()));
        json.set("parking", parking(entry.parking()));
        json.set("repeats", repeats(entry.repeats()));
        return json;
    }

    /**
     * Returns the name, or null if it is too long for a namespace. A name that is too long is stored only in the
     * request, which is not indexed.
     */
    private static @Nullable String shortEnough(String namespace) {
        return namespace.length() <= 100 ? namespace : null;
    }

    private static ObjectNode request(JournalEntry entry) {
        ObjectNode json = Json.object().put("requested_by", entry.requestedBy());
        RenameRequest request = entry.request();
        WriteTarget writeTarget = entry.writeTarget();
        if (writeTarget != null) {
            json.put("namespace", writeTarget.namespace());
            writeTarget.directories().forEach(json.putArray("directories")::add);
        }
        if (request == null) {
            return json;
        }
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
        return trace == null
                ? json
                : json.put(TraceContext.PARENT, trace.traceparent()).put(TraceContext.STATE, trace.tracestate());
    }

    private static ObjectNode waiting(Waiting waiting) {
        return Json.object()
                .put("refusals", waiting.refusals())
                .put("refused_by", waiting.refusedBy())
                .put("refusal", waiting.refusal());
    }

    private static @Nullable ObjectNode decision(@Nullable Decision decision, Progress progress) {
        if (decision == null) {
            return null;
        }
        ObjectNode json = Json.object().put("committed_by", decision.committedBy());
        if (decision.ownId() != null) {
            json.put("own_id", decision.ownId());
        }
        ObjectNode indices = json.putObject("indices");
        decision.indices().forEach(indices::put);
        ArrayNode removals = json.putArray("removals");
        for (Document.Ref ref : decision.removals()) {
            ObjectNode removal = removals.addObject()
                    .put("index", ref.index())
                    .put("id", ref.id())
                    .put("routing", ref.routing())
                    .put("seq_no", ref.version().seqNo())
                    .put("primary_term", ref.version().primaryTerm());
            if (ref.external() > 0) {
                removal.put("version", ref.external());
            }
        }
        if (progress.unreplaced() != null) {
            json.put("unreplaced", progress.unreplaced());
        }
        return json;
    }

    private static @Nullable ObjectNode parking(@Nullable Parking parking) {
        if (parking == null) {
            return null;
        }
        ObjectNode json = Json.object().put("reason", parking.reason());
        parking.documents().forEach(json.putArray("documents")::add);
        return json;
    }

    private static ArrayNode repeats(Repeats repeats) {
        ArrayNode json = Json.MAPPER.createArrayNode();
        for (RecordPosition place : repeats.places()) {
            json.addObject()
                    .put("topic", place.topic())
                    .put("partition", place.partition())
                    .put("offset", place.offset());
        }
        return json;
    }

    /**
     * Decodes an entry.
     *
     * @throws DamagedException if the JSON is not a valid entry
     */
    static JournalEntry read(JsonNode json) {
        ControlIndex.refuseLater(json);
        try {
            return decoded(json);
        } catch (IllegalArgumentException | DateTimeParseException e) {
            throw new DamagedException(
                    "the journal entry of request " + json.path("request_id").asText() + " is damaged: " + e, e);
        }
    }

    private static JournalEntry decoded(JsonNode json) {
        Ownership ownership = new Ownership(
                json.required("owner").asText(),
                json.required("epoch").asLong(),
                json.path("hold_id").textValue());
        JsonNode waitingJson = json.path("waiting");
        Waiting waiting = new Waiting(
                waitingJson.path("refusals").asInt(),
                waitingJson.path("refused_by").textValue(),
                waitingJson.path("refusal").textValue());
        Progress progress = new Progress(
                json.path("expected").asLong(),
                json.path("moved").asLong(),
                json.path("passes").asInt(),
                unreplaced(json.path("decision").path("unreplaced")));
        RecordPosition place = new RecordPosition(
                json.required("topic").asText(),
                json.required("partition").asInt(),
                json.required("offset").asLong());
        return new JournalEntry(
                json.required("request_id").asText(),
                readRequest(json),
                json.path("request").path("requested_by").textValue(),
                json.required("digest").asText(),
                place,
                Instant.parse(json.required("requested_at").asText()),
                State.valueOf(json.required("state").asText().toUpperCase(Locale.ROOT)),
                ownership,
                waiting,
                progress,
                readDecision(json),
                readDecidedIn(json),
                readEnding(json),
                readParking(json.path("parking")),
                json.path("touches").asLong(),
                readRepeats(json),
                readWriteTarget(json.path("request")));
    }

    private static @Nullable WriteTarget readWriteTarget(JsonNode request) {
        if (!request.has("directories")) {
            return null;
        }
        List<String> directories = new ArrayList<>();
        request.path("directories").forEach(directory -> directories.add(directory.asText()));
        return new WriteTarget(request.required("namespace").asText(), directories);
    }

    private static @Nullable RenameRequest readRequest(JsonNode entry) {
        JsonNode json = entry.path("request");
        if (!json.has("source")) {
            return null;
        }
        return new RenameRequest(
                entry.required("request_id").asText(),
                json.required("namespace").asText(),
                json.required("source").asText(),
                json.required("destination").asText(),
                OnExisting.valueOf(json.required("on_existing").asText().toUpperCase(Locale.ROOT)),
                json.path("requested_by").textValue(),
                json.path("replay_of").textValue(),
                readTrace(json),
                number(json.path("version")),
                json.path("source_id").textValue());
    }

    private static @Nullable Integer unreplaced(JsonNode json) {
        return json.isInt() ? (Integer) json.intValue() : null;
    }

    private static @Nullable Long number(JsonNode json) {
        return json.isNumber() ? (Long) json.asLong() : null;
    }

    private static @Nullable TraceContext readTrace(JsonNode request) {
        return TraceContext.of(
                        request.path(TraceContext.PARENT).textValue(),
                        request.path(TraceContext.STATE).textValue())
                .orElse(null);
    }

    private static @Nullable Decision readDecision(JsonNode entry) {
        JsonNode json = entry.path("decision");
        Instant committedAt = Json.instant(entry.path("committed_at"));
        if (!json.isObject() || committedAt == null) {
            return null;
        }
        Map<String, String> indices = new HashMap<>();
        json.path("indices")
                .properties()
                .forEach(e -> indices.put(e.getKey(), e.getValue().asText()));
        List<Document.Ref> removals = new ArrayList<>();
        for (JsonNode ref : json.path("removals")) {
            Version version = new Version(
                    ref.required("seq_no").asLong(),
                    ref.required("primary_term").asLong());
            removals.add(new Document.Ref(
                    ref.required("index").asText(),
                    ref.required("id").asText(),
                    ref.path("routing").textValue(),
                    version,
                    ref.path("version").asLong()));
        }
        return new Decision(
                committedAt,
                json.required("committed_by").asText(),
                indices,
                removals,
                json.path("own_id").textValue());
    }

    private static @Nullable Version readDecidedIn(JsonNode entry) {
        return entry.path("decided_seq_no").isNumber()
                ? new Version(
                        entry.required("decided_seq_no").asLong(),
                        entry.required("decided_primary_term").asLong())
                : null;
    }

    private static @Nullable Ending readEnding(JsonNode entry) {
        String outcome = entry.path("outcome").textValue();
        Instant finishedAt = Json.instant(entry.path("finished_at"));
        return outcome == null || finishedAt == null ? null : new Ending(finishedAt, outcome);
    }

    private static Repeats readRepeats(JsonNode entry) {
        List<RecordPosition> places = new ArrayList<>();
        entry.path("repeats").forEach(place -> places.add(readPlace(place)));
        return new Repeats(places, Json.instant(entry.path("repeated_at")));
    }

    private static RecordPosition readPlace(JsonNode json) {
        return new RecordPosition(
                json.required("topic").asText(),
                json.required("partition").asInt(),
                json.required("offset").asLong());
    }

    private static @Nullable Parking readParking(JsonNode json) {
        if (!json.isObject()) {
            return null;
        }
        List<String> documents = new ArrayList<>();
        json.path("documents").forEach(id -> documents.add(id.asText()));
        return new Parking(json.required("reason").asText(), documents);
    }
}
