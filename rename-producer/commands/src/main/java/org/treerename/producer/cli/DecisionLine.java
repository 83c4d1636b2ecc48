package org.treerename.producer.cli;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Locale;
import org.treerename.request.DecisionTime;
import org.treerename.request.ParsedRequest.RenameRequest;

/** Formats the decision of a rename as one line for people, or as one JSON object. */
final class DecisionLine {

    private static final double MILLIS_PER_SECOND = 1_000.0;

    private DecisionLine() {}

    static String of(RenameRequest request, DecisionTime decided) {
        return String.format(
                Locale.ROOT,
                "decided to rename %s to %s; the documents move now (request %s, %.3f s)",
                OutcomeLine.printable(request.source()),
                OutcomeLine.printable(request.destination()),
                OutcomeLine.printable(request.requestId()),
                decided.taken().toMillis() / MILLIS_PER_SECOND);
    }

    static ObjectNode json(RenameRequest request, DecisionTime decided) {
        return JsonNodeFactory.instance
                .objectNode()
                .put("request_id", request.requestId())
                .put("status", "decided")
                .put("requested_at", decided.requestedAt().toString())
                .put("committed_at", decided.committedAt().toString())
                .put("decided_after_ms", decided.taken().toMillis());
    }
}
