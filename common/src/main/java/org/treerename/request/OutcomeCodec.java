package org.treerename.request;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Converts outcomes to the JSON objects that {@code rename-outcome.schema.json} describes, and back. The fields are
 * always in the same order, so equal outcomes have the same text. Times are written with milliseconds.
 */
public final class OutcomeCodec {

    private OutcomeCodec() {}

    public static String encode(Outcome outcome) {
        ObjectNode json = Json.MAPPER
                .createObjectNode()
                .put("request_id", outcome.requestId())
                .put("status", outcome.publishedStatus())
                .put("reason", outcome.publishedReason())
                .put("message", outcome.message())
                .put("moved", outcome.moved())
                .put("refused", outcome.refused())
                .put("process_id", outcome.processId())
                .put("rolled_forward", outcome.rolledForward())
                .put("requested_by", outcome.requestedBy())
                .put("requested_at", Json.text(outcome.requestedAt()))
                .put("committed_at", Json.text(outcome.committedAt()))
                .put("finished_at", Json.text(outcome.finishedAt()));
        Outcome.Paths paths = outcome.paths();
        if (paths != null) {
            json.put("namespace", paths.namespace())
                    .put("source", paths.source())
                    .put("destination", paths.destination());
        }
        return json.toString();
    }

    /**
     * Decodes an outcome.
     *
     * @throws IllegalArgumentException if the text is not an outcome, or if only a later version of the program can
     *     decode the text
     */
    public static Outcome decode(String text) {
        return Json.decode(text, "an outcome", OutcomeCodec::outcome);
    }

    private static Outcome.@Nullable Paths paths(JsonNode json) {
        String namespace = json.path("namespace").textValue();
        String source = json.path("source").textValue();
        String destination = json.path("destination").textValue();
        return namespace == null || source == null || destination == null
                ? null
                : new Outcome.Paths(namespace, source, destination);
    }

    private static Outcome outcome(JsonNode json) {
        String publishedStatus = json.required("status").asText();
        String publishedReason = json.path("reason").textValue();
        Status status = Status.ofPublished(publishedStatus);
        Reason reason = publishedReason == null ? null : Reason.ofPublished(publishedReason);
        return new Outcome(
                json.required("request_id").asText(),
                status,
                reason,
                json.path("message").asText(),
                json.path("moved").asLong(),
                json.path("refused").asLong(),
                json.path("process_id").asText(),
                json.path("rolled_forward").asBoolean(),
                json.path("requested_by").textValue(),
                Instant.parse(json.required("requested_at").asText()),
                Json.instant(json.path("committed_at").textValue()),
                Instant.parse(json.required("finished_at").asText()),
                paths(json),
                status == Status.OTHER || reason == Reason.OTHER
                        ? new Outcome.Unknown(publishedStatus, publishedReason)
                        : null);
    }
}
