package org.treerename.janitor.console;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import org.treerename.overview.JournalSearch;

/**
 * Writes the data of the plots as JSON. Only one thread calls this class.
 *
 * <pre>{@code
 * { "minutes_from": "…", "minutes": [ { "at": "…", "completed": 3, "failed": 1 } ],
 *   "waiting": [ { "at": "…", "requests": 2, "oldest_seconds": 4.5 } ] }
 * }</pre>
 *
 * The counts are complete from {@code minutes_from} on.
 */
final class Activity {

    private static final double MILLIS_PER_SECOND = 1_000.0;
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private final EndedRenames ended;
    private final WaitingRequests waiting;

    Activity(JournalSearch journal) {
        this.ended = new EndedRenames(journal);
        this.waiting = new WaitingRequests(journal);
    }

    ObjectNode read(Instant now) {
        EndedRenames.Counts counts = ended.read(now);
        ObjectNode json = MAPPER.createObjectNode()
                .put("minutes_from", counts.completeFrom().toString());
        ArrayNode minutes = json.putArray("minutes");
        counts.minutes().forEach((minute, byStatus) -> {
            ObjectNode object = minutes.addObject().put("at", minute.toString());
            byStatus.forEach(object::put);
        });
        ArrayNode samples = json.putArray("waiting");
        waiting.read(now)
                .forEach((at, sample) -> samples.addObject()
                        .put("at", at.toString())
                        .put("requests", sample.requests())
                        .put("oldest_seconds", sample.oldest().toMillis() / MILLIS_PER_SECOND));
        return json;
    }
}
