package org.treerename.kafka;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.treerename.request.DecisionTime;
import org.treerename.request.Json;
import org.treerename.request.RenameProgress;

/**
 * Converts progress to the JSON object that {@code rename-progress.schema.json} describes, and back. Unknown fields are
 * ignored.
 */
public final class ProgressCodec {

    private ProgressCodec() {}

    public static String encode(RenameProgress progress) {
        DecisionTime decided = progress.decided();
        return Json.MAPPER
                .createObjectNode()
                .put("request_id", progress.requestId())
                .put("moved", progress.moved())
                .put("expected", progress.expected())
                .put("passes", progress.passes())
                .put("process_id", progress.processId())
                .put("rolled_forward", progress.rolledForward())
                .put("requested_at", decided == null ? null : Json.text(decided.requestedAt()))
                .put("committed_at", decided == null ? null : Json.text(decided.committedAt()))
                .put("parked", progress.parked())
                .toString();
    }

    /**
     * Decodes the value of a progress record.
     *
     * @throws IllegalArgumentException if the text is not a progress record
     */
    public static RenameProgress decode(String text) {
        return Json.decode(text, "a progress record", ProgressCodec::progress);
    }

    private static RenameProgress progress(JsonNode json) {
        return new RenameProgress(
                json.required("request_id").asText(),
                json.required("moved").asLong(),
                json.required("expected").asLong(),
                json.path("passes").asInt(),
                json.path("process_id").asText(),
                json.path("rolled_forward").asBoolean(),
                decided(json),
                json.path("parked").textValue());
    }

    private static @Nullable DecisionTime decided(JsonNode json) {
        Instant requestedAt = Json.instant(json.path("requested_at").textValue());
        Instant committedAt = Json.instant(json.path("committed_at").textValue());
        return requestedAt == null || committedAt == null ? null : new DecisionTime(requestedAt, committedAt);
    }
}
