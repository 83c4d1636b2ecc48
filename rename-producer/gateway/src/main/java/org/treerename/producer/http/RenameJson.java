package org.treerename.producer.http;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.treerename.lock.LockPriority;
import org.treerename.overview.Cursors;
import org.treerename.overview.Overview;
import org.treerename.overview.OverviewJson;
import org.treerename.overview.OwnedEntry;
import org.treerename.request.DecisionTime;

/** Writes renames as JSON: the object of every overview, with links. */
final class RenameJson {

    private RenameJson() {}

    static ObjectNode of(OwnedEntry rename) {
        return OverviewJson.of(rename).set("links", links(rename.entry().requestId()));
    }

    static ObjectNode of(Overview.Renames page) {
        ObjectNode json = Json.object();
        ArrayNode renames = json.putArray("renames");
        page.renames().forEach(rename -> renames.add(of(rename)));
        LockPriority next = page.next();
        return json.put("next", next == null ? null : Cursors.of(next));
    }

    /** Returns the times of the request and of the commit, and the time between them. */
    static ObjectNode of(String requestId, DecisionTime decided) {
        return Json.object()
                .put("request_id", requestId)
                .put("requested_at", decided.requestedAt().toString())
                .put("committed_at", decided.committedAt().toString())
                .put("decided_after_ms", decided.taken().toMillis());
    }

    /** Returns the links of a rename. */
    static ObjectNode links(String requestId) {
        String self = Target.pathOf(requestId);
        return Json.object().put("self", self).put("events", self + "/events");
    }
}
