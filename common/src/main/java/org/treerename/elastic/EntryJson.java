package org.treerename.elastic;

import com.fasterxml.jackson.annotation.JsonAutoDetect;
import com.fasterxml.jackson.annotation.PropertyAccessor;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.treerename.journal.Decision;
import org.treerename.journal.Ending;
import org.treerename.journal.JournalEntry;
import org.treerename.journal.Ownership;
import org.treerename.journal.Parking;
import org.treerename.journal.Phase;
import org.treerename.journal.Progress;
import org.treerename.journal.Repeats;
import org.treerename.journal.State;
import org.treerename.journal.Subject;
import org.treerename.journal.Waiting;
import org.treerename.journal.WriteTarget;
import org.treerename.request.OnExisting;
import org.treerename.request.ParsedRequest;
import org.treerename.request.ParsedRequest.InvalidRequest;
import org.treerename.request.ParsedRequest.RenameRequest;
import org.treerename.request.RecordPosition;
import org.treerename.request.TraceContext;
import org.treerename.store.DamagedException;
import org.treerename.store.Version;
import org.treerename.tree.Document;

/**
 * Reads and writes the stored form of a journal entry. The id of an entry is {@code rename:}, followed by the request
 * id. An unknown value is null:
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
 *   "parking": { "reason": "…", "documents": ["…"] }, "no_op_writes": 0,
 *   "repeated_at": "…", "repeated_in_log": false }
 * }</pre>
 *
 * The request of a writer's entry contains {@code "directories": ["…"]} instead of a source and a destination. A
 * writer's entry has an empty topic, no decision and no outcome.
 */
final class EntryJson {

    private static final String PREFIX = "rename:";

    /** Each component of a record becomes a JSON field. The methods that a record adds do not become fields. */
    private static final ObjectMapper PARTS = Json.MAPPER
            .copy()
            .setVisibility(PropertyAccessor.IS_GETTER, JsonAutoDetect.Visibility.NONE)
            .setPropertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES);

    private EntryJson() {}

    static String id(String requestId) {
        return PREFIX + requestId;
    }

    static String requestId(String id) {
        return id.substring(PREFIX.length());
    }

    static JsonNode write(JournalEntry entry) {
        Optional<Decision> decision = entry.decided();
        Optional<Ending> ending = entry.ended();
        Optional<Version> decidedIn = Optional.ofNullable(entry.decidedIn());
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
                        Json.text(decision.map(Decision::committedAt).orElse(null)))
                .put("finished_at", Json.text(ending.map(Ending::finishedAt).orElse(null)))
                .put("outcome", ending.map(Ending::outcome).orElse(null))
                .put("no_op_writes", entry.noOps())
                .put("repeated_at", Json.text(entry.repeats().lastAppendedAt()))
                .put("repeated_in_log", entry.repeats().areInLog())
                .put("decided_seq_no", decidedIn.map(Version::seqNo).orElse(null))
                .put("decided_primary_term", decidedIn.map(Version::primaryTerm).orElse(null));
        json.set("request", subject(entry.subject()));
        json.set("waiting", PARTS.valueToTree(entry.waiting()));
        json.set(
                "decision",
                decision.map(made -> decision(made, entry.progress())).orElse(null));
        json.set("parking", PARTS.valueToTree(entry.parking()));
        return json;
    }

    /** A name that is too long is stored only in the field {@code request}, which is not indexed. */
    private static @Nullable String shortEnough(String namespace) {
        return namespace.length() <= 100 ? namespace : null;
    }

    private static ObjectNode subject(Subject subject) {
        ObjectNode json = Json.object();
        switch (subject) {
            case Subject.Delivered delivered -> {
                json.put("requested_by", delivered.asked().requestedBy());
                if (delivered.asked() instanceof RenameRequest request) {
                    addFields(request, json);
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

    private static void addFields(RenameRequest request, ObjectNode json) {
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

    private static ObjectNode decision(Decision decision, Progress progress) {
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

    /**
     * Decodes an entry.
     *
     * @throws DamagedException if the JSON is not a valid entry
     */
    static JournalEntry read(JsonNode json) {
        ControlIndex.refuseLater(json);
        try {
            return decoded(json);
        } catch (IllegalArgumentException | DateTimeParseException | NoSuchElementException e) {
            throw new DamagedException(
                    "the journal entry of request " + json.path("request_id").asText() + " is damaged: " + e, e);
        }
    }

    private static JournalEntry decoded(JsonNode json) {
        Ownership ownership = new Ownership(
                json.required("owner").asText(),
                json.required("epoch").asLong(),
                json.path("hold_id").textValue());
        Waiting waiting = PARTS.convertValue(json.path("waiting"), Waiting.class);
        return new JournalEntry(
                json.required("request_id").asText(),
                subject(json),
                Instant.parse(json.required("requested_at").asText()),
                ownership,
                waiting == null ? Waiting.NONE : waiting,
                phase(json),
                json.path("decided_seq_no").isNumber()
                        ? new Version(
                                json.required("decided_seq_no").asLong(),
                                json.required("decided_primary_term").asLong())
                        : null,
                json.path("no_op_writes").asLong(),
                new Repeats(json.path("repeated_in_log").asBoolean(), Json.instant(json.path("repeated_at"))));
    }

    private static Phase phase(JsonNode json) {
        State state = State.valueOf(json.required("state").asText().toUpperCase(Locale.ROOT));
        Optional<Decision> decision = decision(json);
        Optional<Ending> ending = ending(json);
        Progress progress = new Progress(
                json.path("expected").asLong(),
                json.path("moved").asLong(),
                json.path("passes").asInt(),
                unreplaced(json));
        return switch (state) {
            case PREPARED, RETRY, HELD -> new Phase.Undecided(state);
            case MOVING -> new Phase.Moving(decision.orElseThrow(), progress);
            case PARKED -> new Phase.Parked(decision.orElseThrow(), progress, parking(json));
            case DONE -> new Phase.Done(decision.orElseThrow(), progress, ending.orElseThrow());
            case REJECTED, FAILED, CANCELLED -> new Phase.Refused(state, ending.orElseThrow());
            case CLOSED -> new Phase.Closed(decision.orElse(null), progress, ending.orElse(null));
        };
    }

    private static Optional<Decision> decision(JsonNode entry) {
        JsonNode json = entry.path("decision");
        Instant committedAt = Json.instant(entry.path("committed_at"));
        if (!json.isObject() || committedAt == null) {
            return Optional.empty();
        }
        Map<String, String> indices = new HashMap<>();
        json.path("indices")
                .properties()
                .forEach(e -> indices.put(e.getKey(), e.getValue().asText()));
        List<Document.Ref> removals =
                json.path("removals").valueStream().map(EntryJson::removal).toList();
        return Optional.of(new Decision(
                committedAt,
                json.required("committed_by").asText(),
                indices,
                removals,
                json.path("own_id").textValue()));
    }

    private static Document.Ref removal(JsonNode json) {
        Version version = new Version(
                json.required("seq_no").asLong(), json.required("primary_term").asLong());
        return new Document.Ref(
                json.required("index").asText(),
                json.required("id").asText(),
                json.path("routing").textValue(),
                version,
                json.path("version").asLong());
    }

    /** The documents at the destination that were not replaced; null while the removals are not complete. */
    private static @Nullable Integer unreplaced(JsonNode entry) {
        JsonNode json = entry.path("decision").path("unreplaced");
        return json.isInt() ? (Integer) json.intValue() : null;
    }

    private static Parking parking(JsonNode json) {
        return Optional.ofNullable(PARTS.convertValue(json.path("parking"), Parking.class))
                .orElseThrow();
    }

    private static Optional<Ending> ending(JsonNode json) {
        String outcome = json.path("outcome").textValue();
        Instant finishedAt = Json.instant(json.path("finished_at"));
        return outcome == null || finishedAt == null ? Optional.empty() : Optional.of(new Ending(finishedAt, outcome));
    }

    private static Subject subject(JsonNode entry) {
        JsonNode json = entry.path("request");
        String digest = entry.required("digest").asText();
        if (json.has("directories")) {
            List<String> directories = Json.texts(json.path("directories"));
            return new Subject.Writes(new WriteTarget(json.required("namespace").asText(), directories), digest);
        }
        Subject.Delivered delivered = new Subject.Delivered(asked(entry, json), digest, place(entry));
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

    private static RecordPosition place(JsonNode json) {
        return new RecordPosition(
                json.required("topic").asText(),
                json.required("partition").asInt(),
                json.required("offset").asLong());
    }
}
