package org.treerename.producer.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import org.treerename.journal.State;
import org.treerename.overview.OverviewJson;

/**
 * Formats one request as lines for people, or as one JSON object. The request comes from the journal or from a gateway,
 * in the JSON format that all overviews use (see {@link OverviewJson}).
 */
final class RequestReport {

    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
    private static final double MILLIS_PER_SECOND = 1_000.0;

    /** The state in which a gateway shows a request that no worker has begun. The journal does not use this state. */
    private static final String QUEUED = "queued";

    private RequestReport() {}

    /** Returns the paths and the id of a request, for messages. */
    static String words(ObjectNode request) {
        return OutcomeLine.printable(paths(request) + "request " + text(request, "request_id"));
    }

    private static String paths(ObjectNode request) {
        if (request.hasNonNull("source")) {
            return text(request, "source") + " to " + text(request, "destination") + ", ";
        }
        if (!request.hasNonNull("directories")) {
            return "";
        }
        return request.path("directories")
                .valueStream()
                .map(JsonNode::asText)
                .collect(Collectors.joining(", ", "a writer into ", " in " + text(request, "namespace") + ", "));
    }

    static List<String> lines(ObjectNode request, Instant now) {
        List<String> lines = new ArrayList<>();
        lines.add(words(request)
                + (request.hasNonNull("namespace") ? ", in " + OutcomeLine.printable(text(request, "namespace")) : ""));
        if (text(request, "state").equals(QUEUED)) {
            lines.add("queued: no worker has begun the request");
            lines.add("requested at " + text(request, "requested_at")
                    + String.format(Locale.ROOT, "; %.1f s so far", seconds(request, now)));
            return lines;
        }
        State state = state(request);
        lines.add(OverviewJson.word(state) + ": " + meaning(state));
        if (request.hasNonNull("committed_at")) {
            int passes = request.path("passes").asInt();
            lines.add((OverviewJson.isAtLeast(request) ? "at least " : "")
                    + request.path("moved").asLong() + " of "
                    + request.path("expected").asLong() + " documents moved, in " + passes
                    + (passes == 1 ? " pass" : " passes"));
        }
        if (state != State.CLOSED) {
            lines.add("owned by " + OutcomeLine.printable(text(request, "process_id")) + ", which is "
                    + text(request, "process_state"));
        }
        int refusals = request.path("refusals").asInt();
        if (refusals > 0) {
            lines.add("locks refused " + (refusals == 1 ? "once" : refusals + " times") + "; the last reason: "
                    + OutcomeLine.printable(text(request, "refusal")));
        }
        if (request.hasNonNull("parked")) {
            lines.add("parked because " + OutcomeLine.printable(text(request, "parked")));
        }
        lines.add("requested at " + text(request, "requested_at")
                + (request.hasNonNull("committed_at") ? ", decided at " + text(request, "committed_at") : "")
                + (request.hasNonNull("finished_at") ? ", ended at " + text(request, "finished_at") : "")
                + String.format(Locale.ROOT, "; %.1f s", seconds(request, now))
                + (state.isFinal() ? "" : " so far"));
        ended(request).ifPresent(lines::add);
        if (isTakenOver(request)) {
            lines.add("finished by "
                    + OutcomeLine.printable(request.at("/outcome/process_id").asText())
                    + ", which took over the rename of a dead process");
        }
        return lines;
    }

    private static boolean isTakenOver(ObjectNode request) {
        return request.path("outcome").path("rolled_forward").asBoolean();
    }

    private static Optional<String> ended(ObjectNode request) {
        JsonNode outcome = request.path("outcome");
        if (!outcome.isObject()) {
            return Optional.empty();
        }
        String reason = outcome.path("reason").textValue();
        return Optional.of(
                OutcomeLine.printable(outcome.path("status").asText() + ": " + (reason == null ? "" : reason + ": ")
                        + outcome.path("message").asText()));
    }

    /** Returns the reason why a request cannot be cancelled: how it ended, or its state after the decision. */
    static String decided(ObjectNode request) {
        return ended(request).orElseGet(() -> "it is " + OverviewJson.word(state(request)) + ", and will be finished");
    }

    private static String meaning(State state) {
        return switch (state) {
            case PREPARED -> "nothing has moved; the request acquires its locks, waits for them, or is checked";
            case RETRY -> "nothing has moved; the locks are released, and the request waits for its next delivery";
            case HELD -> "a writer holds locks, or waits for them";
            case MOVING -> "the rename is decided, and its documents are moving";
            case PARKED ->
                "the rename is decided, but a document cannot be moved; the rename keeps its locks, and a janitor tries"
                        + " again";
            case DONE, REJECTED, FAILED, CANCELLED -> "ended; the next steps release the locks and publish the outcome";
            case CLOSED -> "ended; the locks are released";
        };
    }

    static State state(ObjectNode request) {
        return State.valueOf(text(request, "state").toUpperCase(Locale.ROOT));
    }

    private static double seconds(ObjectNode request, Instant now) {
        Instant until = request.hasNonNull("finished_at") ? Instant.parse(text(request, "finished_at")) : now;
        Instant from = Instant.parse(text(request, "requested_at"));
        return Math.max(0, Duration.between(from, until).toMillis()) / MILLIS_PER_SECOND;
    }

    /**
     * Returns a copy of a request with the field {@code seconds}: the time from the request until its end, or until
     * now.
     */
    static ObjectNode json(ObjectNode request, Instant now) {
        return request.deepCopy().put("seconds", seconds(request, now));
    }

    /** Returns the result of a cancellation as a JSON object. */
    static ObjectNode json(String answer, ObjectNode request) {
        ObjectNode json = beginning(request).put("answer", answer);
        return json.set("outcome", request.path("outcome"));
    }

    static ObjectNode notReversible(ObjectNode request, String reason, String message) {
        return beginning(request)
                .put("answer", "not_reversible")
                .put("reason", reason)
                .put("message", message);
    }

    /** Returns the JSON object for a request that the journal does not know. */
    static ObjectNode unknown(String requestId) {
        return JSON.objectNode().put("request_id", requestId).put("answer", "unknown");
    }

    private static ObjectNode beginning(ObjectNode request) {
        ObjectNode json = JSON.objectNode();
        for (String field : List.of("request_id", "namespace", "source", "destination", "state")) {
            json.set(field, request.path(field));
        }
        return json;
    }

    private static String text(ObjectNode request, String field) {
        return request.path(field).asText();
    }
}
