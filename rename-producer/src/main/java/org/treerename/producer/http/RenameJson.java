package org.treerename.producer.http;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.treerename.rename.Asked.RenameRequest;
import org.treerename.rename.JournalEntry;
import org.treerename.rename.JournalEntry.Ending;
import org.treerename.rename.JournalEntry.Parking;
import org.treerename.rename.JournalEntry.Progress;
import org.treerename.rename.JournalEntry.Waiting;

/** A journal entry as the gateway tells it. */
final class RenameJson {

    private RenameJson() {}

    static ObjectNode of(JournalEntry entry) {
        ObjectNode json = Json.object().put("request_id", entry.requestId());
        asked(json, entry);
        json.put("state", entry.state().name().toLowerCase(Locale.ROOT))
                .put("process_id", entry.ownership().processId());
        Progress progress = entry.progress();
        json.putObject("progress")
                .put("expected", progress.expected())
                .put("moved", progress.moved())
                .put("passes", progress.passes());
        Waiting waiting = entry.waiting();
        json.putObject("waiting")
                .put("refusals", waiting.refusals())
                .put("refused_by", waiting.refusedBy())
                .put("refusal", waiting.refusal());
        Parking parking = entry.parking();
        json.put("parked_because", parking == null ? null : parking.toString())
                .put("requested_at", entry.requestedAt().toString())
                .put(
                        "committed_at",
                        text(entry.decided()
                                .map(JournalEntry.Decision::committedAt)
                                .orElse(null)))
                .put("finished_at", text(entry.ended().map(Ending::finishedAt).orElse(null)));
        entry.ended()
                .ifPresentOrElse(
                        ending -> json.set("outcome", Json.stored(ending.outcome())), () -> json.putNull("outcome"));
        json.set("links", links(entry.requestId()));
        return json;
    }

    private static void asked(ObjectNode json, JournalEntry entry) {
        RenameRequest request = entry.request();
        json.put("namespace", request == null ? null : request.namespace())
                .put("source", request == null ? null : request.source())
                .put("destination", request == null ? null : request.destination())
                .put(
                        "on_existing",
                        request == null ? null : request.onExisting().name().toLowerCase(Locale.ROOT))
                .put("version", request == null ? null : request.version())
                .put("requested_by", entry.requestedBy());
    }

    /** Where more of a rename is. */
    static ObjectNode links(String requestId) {
        String self = Target.pathOf(requestId);
        return Json.object().put("self", self).put("events", self + "/events");
    }

    private static @Nullable String text(@Nullable Instant instant) {
        return instant == null ? null : instant.toString();
    }
}
