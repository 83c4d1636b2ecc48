package org.treerename.producer.http;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.treerename.lock.LockPriority;
import org.treerename.overview.Cursors;
import org.treerename.overview.Overview;
import org.treerename.overview.OverviewJson;
import org.treerename.overview.OwnedEntry;
import org.treerename.producer.http.WaitingRequests.Queued;
import org.treerename.request.DecisionTime;

/** Writes renames as JSON objects. Each object has the fields of {@link OverviewJson}, and links. */
final class RenameJson {

    private static final String QUEUED = "queued";

    private RenameJson() {}

    static ObjectNode of(OwnedEntry rename) {
        return OverviewJson.of(rename).set("links", links(rename.entry().requestId()));
    }

    /**
     * Returns the JSON object for a request that no worker has begun. The object has the fields of a rename, and the
     * state {@code queued}.
     */
    static ObjectNode of(Queued queued) {
        ObjectNode json = OverviewJson.of(queued.entry())
                .put("state", QUEUED)
                .putNull("process_id")
                .put("epoch", 0);
        return json.set("links", links(queued.requestId()));
    }

    static ObjectNode of(Overview.Renames page) {
        ObjectNode json = Json.object();
        ArrayNode renames = json.putArray("renames");
        page.renames().forEach(rename -> renames.add(of(rename)));
        LockPriority next = page.next();
        return json.put("next", next == null ? null : Cursors.of(next));
    }

    /** Returns the time of the request, the time of the commit, and the difference between these times. */
    static ObjectNode of(String requestId, DecisionTime decided) {
        return Json.object()
                .put("request_id", requestId)
                .put("requested_at", decided.requestedAt().toString())
                .put("committed_at", decided.committedAt().toString())
                .put("decided_after_ms", decided.taken().toMillis());
    }

    /** Returns the links of a rename: its own path, and the path of its events. */
    static ObjectNode links(String requestId) {
        String self = Target.pathOf(requestId);
        return Json.object().put("self", self).put("events", self + "/events");
    }
}
