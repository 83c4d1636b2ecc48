package org.treerename.benchmark;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * An outcome that is parsed from the record in Kafka without any code of tree rename.
 *
 * @param reason the reason of the outcome; null if the outcome has no reason
 * @param committedAt the time of the commit; null if the rename was not committed
 */
record RawOutcome(
        String requestId,
        String status,
        @Nullable String reason,
        Instant requestedAt,
        @Nullable Instant committedAt,
        Instant finishedAt) {

    static RawOutcome parse(byte[] value) throws IOException {
        JsonNode json = Es.JSON.readTree(value);
        String committed = json.path("committed_at").textValue();
        return new RawOutcome(
                json.required("request_id").asText(),
                json.required("status").asText(),
                json.path("reason").textValue(),
                Instant.parse(json.required("requested_at").asText()),
                committed == null ? null : Instant.parse(committed),
                Instant.parse(json.required("finished_at").asText()));
    }

    boolean isCompleted() {
        return status.equals("completed");
    }

    /** Returns a text with the status, and with the reason if there is one. */
    String ending() {
        return reason == null ? status : status + " (" + reason + ")";
    }
}
