package org.treerename.overview;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.treerename.journal.Decision;
import org.treerename.journal.Ending;
import org.treerename.journal.JournalEntry;
import org.treerename.process.ProcessState;

/**
 * Writes processes, renames and locks as JSON objects. An unknown value is null. Times are in the format of ISO 8601,
 * in UTC.
 *
 * <pre>{@code
 * { "process_id": "…", "service": "worker", "host": "…", "state": "live", "sign": "beating", "still_seconds": 2.5,
 *   "heartbeat": 7, "lease_seconds": 30.0, "started_at": "…", "renames": 1 }
 *
 * { "request_id": "…", "namespace": "files", "source": "/a", "destination": "/b", "directories": null,
 *   "state": "moving", "process_id": "…", "process_state": "live", "epoch": 1, "requested_by": "…",
 *   "requested_at": "…", "committed_at": "…", "finished_at": null, "expected": 10, "moved": 3,
 *   "passes": 1, "refusals": 0, "refused_by": null, "refusal": null, "parked": null, "outcome": null }
 *
 * { "namespace": "files", "path": "/a", "holders": [ { "by": "hold", "mode": "exclusive", "request_id": "…",
 *   "hold_id": "…", "process_id": "…", "process_state": "live", "asked_at": "…",
 *   "request_state": "moving", "counts": true } ] }
 *
 * { "path": "/a", "directory": true, "documents": 1, "below": 10 }
 * }</pre>
 *
 * <p>The last object is one child of a listed path. The gateway and the command {@code rename ls} write this object.
 *
 * <p>{@code process_state} is {@code unknown} if there is no process document. {@code directories} lists the
 * directories of a writer's entry. A writer's entry has no source and no destination. {@code outcome} is the published
 * outcome.
 */
public final class OverviewJson {

    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final String UNKNOWN = "unknown";
    private static final double MILLIS_PER_SECOND = 1_000.0;

    private OverviewJson() {}

    public static ObjectNode of(ProcessSeen seen) {
        return MAPPER.createObjectNode()
                .put("process_id", seen.document().id().text())
                .put("service", seen.document().service())
                .put("host", seen.document().host())
                .put("state", seen.document().state().stored())
                .put("sign", word(seen.sign()))
                .put("still_seconds", seen.still().toMillis() / MILLIS_PER_SECOND)
                .put("heartbeat", seen.document().heartbeat())
                .put("lease_seconds", seen.document().lease().toMillis() / MILLIS_PER_SECOND)
                .put("started_at", seen.document().startedAt().toString())
                .put("renames", seen.ownedRenames());
    }

    /** Returns the JSON object of a rename. In this object, the state of the process is unknown. */
    public static ObjectNode of(JournalEntry entry) {
        return of(new OwnedEntry(entry, Optional.empty()));
    }

    public static ObjectNode of(OwnedEntry owned) {
        JournalEntry entry = owned.entry();
        var request = entry.request();
        var writeTarget = entry.writeTarget();
        ObjectNode json = MAPPER.createObjectNode()
                .put("request_id", entry.requestId())
                .put("namespace", entry.namespace().orElse(null))
                .put("source", request == null ? null : request.source())
                .put("destination", request == null ? null : request.destination())
                .putNull("directories")
                .put("state", word(entry.state()))
                .put("process_id", entry.ownership().processId())
                .put("process_state", word(owned.owner()))
                .put("epoch", entry.ownership().epoch())
                .put("requested_by", entry.requestedBy())
                .put("requested_at", entry.requestedAt().toString())
                .put("committed_at", text(entry.decided().map(Decision::committedAt)))
                .put("finished_at", text(entry.ended().map(Ending::finishedAt)))
                .put("expected", entry.progress().expected())
                .put("moved", entry.progress().moved())
                .put("passes", entry.progress().passes())
                .put("refusals", entry.waiting().refusals())
                .put("refused_by", entry.waiting().refusedBy())
                .put("refusal", entry.waiting().refusal())
                .put("parked", entry.parking() == null ? null : entry.parking().toString());
        if (writeTarget != null) {
            writeTarget.directories().forEach(json.putArray("directories")::add);
        }
        return json.set("outcome", outcome(entry));
    }

    /**
     * Returns the JSON object of a rename, with the additional fields {@code documents_per_second} and {@code
     * seconds_left}. The value of each additional field is null if it cannot be computed.
     */
    public static ObjectNode of(UnderWay progress) {
        ObjectNode json = of(progress.rename());
        json.put(
                "documents_per_second",
                progress.documentsPerSecond().isEmpty()
                        ? null
                        : (Double) progress.documentsPerSecond().getAsDouble());
        json.put(
                "seconds_left",
                progress.left().map(left -> left.toMillis() / MILLIS_PER_SECOND).orElse(null));
        return json;
    }

    public static ObjectNode of(LockedPath locked) {
        ObjectNode json = MAPPER.createObjectNode()
                .put("namespace", locked.namespace())
                .put("path", locked.path().text());
        ArrayNode holders = json.putArray("holders");
        for (LockedPath.Holder holder : locked.holders()) {
            holders.addObject()
                    .put("by", word(holder.by()))
                    .put("mode", holder.mode().stored())
                    .put("request_id", holder.requestId())
                    .put("hold_id", holder.holdId())
                    .put("process_id", holder.processId())
                    .put("process_state", word(holder.process()))
                    .put("asked_at", holder.askedAt().toString())
                    .put("request_state", holder.state() == null ? null : word(holder.state()))
                    .put("counts", holder.counts());
        }
        return json;
    }

    /** Returns the status of an entry's outcome, for example {@code completed}; empty if the entry has no outcome. */
    public static Optional<String> status(JournalEntry entry) {
        return Optional.ofNullable(outcome(entry))
                .map(outcome -> outcome.path("status").textValue());
    }

    /**
     * Returns the reason of an entry's outcome, for example {@code source_not_found}; empty if the outcome has no
     * reason.
     */
    public static Optional<String> reason(JournalEntry entry) {
        return Optional.ofNullable(outcome(entry))
                .map(outcome -> outcome.path("reason").textValue());
    }

    /**
     * Returns whether the number of moved documents may be too small. This happens if another process took over the
     * rename and finished it, because a dead process does not report its last documents.
     *
     * @param rename the JSON of a rename
     */
    public static boolean isAtLeast(JsonNode rename) {
        return rename.path("outcome").path("rolled_forward").asBoolean()
                && rename.path("moved").asLong() < rename.path("expected").asLong();
    }

    /**
     * Returns the numbers of moved and of expected documents for a table, for example {@code 5/9}. The text begins with
     * {@code >=} if the first number may be too small.
     *
     * @param rename the JSON of a rename
     */
    public static String movedOfExpected(JsonNode rename) {
        return (isAtLeast(rename) ? ">=" : "") + rename.path("moved").asLong() + "/"
                + rename.path("expected").asLong();
    }

    private static @Nullable JsonNode outcome(JournalEntry entry) {
        String text = entry.ended().map(Ending::outcome).orElse(null);
        if (text == null) {
            return null;
        }
        try {
            return MAPPER.readTree(text);
        } catch (JsonProcessingException e) {
            return TextNode.valueOf(text);
        }
    }

    /** Returns the stored form of a process state; {@code unknown} if the process has no process document. */
    public static String word(Optional<ProcessState> state) {
        return state.map(ProcessState::stored).orElse(UNKNOWN);
    }

    /** Returns the name of a constant in lower case, as it is shown to users. */
    public static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }

    private static @Nullable String text(Optional<Instant> moment) {
        return moment.map(Instant::toString).orElse(null);
    }
}
