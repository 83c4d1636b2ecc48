package org.treerename.elastic;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.treerename.journal.Decision;
import org.treerename.journal.Progress;
import org.treerename.store.Version;
import org.treerename.tree.Document;

/** Reads and writes the decision of a stored journal entry, in the format that {@link EntryJson} shows. */
final class DecisionJson {

    private DecisionJson() {}

    static ObjectNode write(Decision decision, Progress progress) {
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

    /** Returns the decision of an entry; empty if the rename is not committed. */
    static Optional<Decision> read(JsonNode entry) {
        JsonNode json = entry.path("decision");
        Instant committedAt = Json.instant(entry.path("committed_at"));
        if (!json.isObject() || committedAt == null) {
            return Optional.empty();
        }
        Map<String, String> indices = new HashMap<>();
        json.path("indices")
                .properties()
                .forEach(e -> indices.put(e.getKey(), e.getValue().asText()));
        List<Document.Ref> removals = new ArrayList<>();
        json.path("removals").forEach(ref -> removals.add(removal(ref)));
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

    /**
     * Returns the number of documents at the destination that were not replaced; null while the removals are not
     * complete.
     */
    static @Nullable Integer unreplaced(JsonNode entry) {
        JsonNode json = entry.path("decision").path("unreplaced");
        return json.isInt() ? (Integer) json.intValue() : null;
    }
}
