package org.treerename.producer.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.treerename.overview.OverviewJson;
import org.treerename.overview.OwnedEntry;
import org.treerename.rename.JournalEntry;
import org.treerename.rename.JournalEntry.Ending;
import org.treerename.rename.JournalEntry.Parking;
import org.treerename.rename.JournalEntry.Progress;
import org.treerename.rename.JournalEntry.Waiting;
import org.treerename.rename.ParsedRequest.RenameRequest;
import org.treerename.rename.State;
import org.treerename.rename.UndoRequest;
import org.treerename.rename.WriteTarget;

/** Formats the journal entry of one request as lines for people, or as one JSON object. */
final class RequestReport {

    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final double MILLIS_PER_SECOND = 1_000.0;

    private RequestReport() {}

    /** Returns a short description of a request. */
    static String words(JournalEntry entry) {
        RenameRequest request = entry.request();
        WriteTarget writeTarget = entry.writeTarget();
        String paths = request == null ? "" : request.source() + " to " + request.destination() + ", ";
        String writer = writeTarget == null ? "" : "a writer into " + writeTarget + ", ";
        return OutcomeLine.printable(paths + writer + "request " + entry.requestId());
    }

    static List<String> lines(OwnedEntry owned, Instant now) {
        JournalEntry entry = owned.entry();
        List<String> lines = new ArrayList<>();
        lines.add(words(entry)
                + entry.namespace()
                        .map(name -> ", in " + OutcomeLine.printable(name))
                        .orElse(""));
        lines.add(state(entry) + ": " + meaning(entry));
        Progress progress = entry.progress();
        if (entry.decision() != null) {
            lines.add(progress.moved() + " of " + progress.expected() + " documents moved, in " + progress.passes()
                    + (progress.passes() == 1 ? " pass" : " passes"));
        }
        if (entry.state() != State.CLOSED) {
            lines.add("owned by " + OutcomeLine.printable(entry.ownership().processId()) + ", which is "
                    + OverviewJson.word(owned.owner()));
        }
        Waiting waiting = entry.waiting();
        if (waiting.refusals() > 0) {
            lines.add("refused " + (waiting.refusals() == 1 ? "once" : waiting.refusals() + " times")
                    + ", the last time because " + OutcomeLine.printable(String.valueOf(waiting.refusal())));
        }
        Parking parking = entry.parking();
        if (parking != null) {
            lines.add("parked because " + OutcomeLine.printable(parking.toString()));
        }
        lines.add("requested at " + entry.requestedAt()
                + entry.decided()
                        .map(decision -> ", decided at " + decision.committedAt())
                        .orElse("")
                + entry.ended()
                        .map(ending -> ", ended at " + ending.finishedAt())
                        .orElse("")
                + String.format(Locale.ROOT, "; %.1f s", seconds(entry, now))
                + (entry.state().isFinal() ? "" : " so far"));
        entry.ended().map(RequestReport::outcome).ifPresent(outcome -> lines.add(ended(outcome)));
        return lines;
    }

    private static String ended(JsonNode outcome) {
        String reason = outcome.path("reason").textValue();
        return OutcomeLine.printable(outcome.path("status").asText() + ": " + (reason == null ? "" : reason + ": ")
                + outcome.path("message").asText());
    }

    /** Returns the state of a request that was decided before it could be cancelled. */
    static String decided(JournalEntry entry) {
        return entry.ended()
                .map(RequestReport::outcome)
                .map(RequestReport::ended)
                .orElseGet(() -> "it is " + state(entry) + ", and will be finished");
    }

    private static String meaning(JournalEntry entry) {
        return switch (entry.state()) {
            case PREPARED -> "nothing has moved; the request acquires its locks, waits for them, or is checked";
            case RETRY -> "nothing has moved; its locks are released, and it waits for its next delivery";
            case HELD -> "a writer holds locks, or waits for them";
            case MOVING -> "decided, and its documents are moving";
            case PARKED -> "decided, but a document cannot be moved; its locks are kept, and a janitor tries again";
            case DONE, REJECTED, FAILED, CANCELLED -> "ended; its locks are released and its outcome is published soon";
            case CLOSED -> "ended, its locks are released";
        };
    }

    private static String state(JournalEntry entry) {
        return OverviewJson.word(entry.state());
    }

    private static double seconds(JournalEntry entry, Instant now) {
        Instant until = entry.ended().map(Ending::finishedAt).orElse(now);
        return Math.max(0, Duration.between(entry.requestedAt(), until).toMillis()) / MILLIS_PER_SECOND;
    }

    /**
     * Returns the JSON object of every overview, with {@code seconds}: the time from the request until its end, or
     * until now.
     */
    static String json(OwnedEntry owned, Instant now) {
        return OverviewJson.line(OverviewJson.of(owned).put("seconds", seconds(owned.entry(), now)));
    }

    /** Returns the answer to a cancellation. */
    static String json(String answer, JournalEntry entry) {
        return OverviewJson.line(withOutcome(request(entry).put("answer", answer), entry));
    }

    static String notReversible(JournalEntry entry, UndoRequest.NotReversible no) {
        return OverviewJson.line(request(entry)
                .put("answer", "not_reversible")
                .put("reason", no.why().published())
                .put("message", no.message()));
    }

    /** Returns the answer for a request that the journal does not know. */
    static String unknown(String requestId) {
        return OverviewJson.line(
                MAPPER.createObjectNode().put("request_id", requestId).put("answer", "unknown"));
    }

    private static ObjectNode request(JournalEntry entry) {
        RenameRequest request = entry.request();
        return MAPPER.createObjectNode()
                .put("request_id", entry.requestId())
                .put("namespace", entry.namespace().orElse(null))
                .put("source", request == null ? null : request.source())
                .put("destination", request == null ? null : request.destination())
                .put("state", state(entry));
    }

    private static ObjectNode withOutcome(ObjectNode json, JournalEntry entry) {
        return json.set("outcome", entry.ended().map(RequestReport::outcome).orElse(MAPPER.nullNode()));
    }

    /** Returns the outcome as it is published. */
    private static JsonNode outcome(Ending ending) {
        try {
            return MAPPER.readTree(ending.outcome());
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("an outcome in the journal is not JSON: " + ending.outcome(), e);
        }
    }
}
