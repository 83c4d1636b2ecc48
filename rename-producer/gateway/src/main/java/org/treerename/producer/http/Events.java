package org.treerename.producer.http;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.treerename.journal.Ending;
import org.treerename.overview.OwnedEntry;
import org.treerename.producer.http.Streams.Seen;
import org.treerename.request.DecisionTime;

/** Computes the events for a client that follows a rename. Only one thread calls this class. */
final class Events {

    /**
     * The number of consecutive reads without a journal entry after which the gateway reports the rename as unknown. If
     * the request may wait in the request topic, the gateway continues to read.
     */
    static final int MOST_EMPTY_READS = 60;

    /**
     * The number of consecutive reads without an event after which the gateway sends a comment. Clients ignore
     * comments.
     */
    static final int QUIET = 5;

    /** An event of a stream. The data is one line of JSON. */
    record Event(String name, String data) {}

    private final String requestId;
    private final BooleanSupplier mayWait;
    private @Nullable ObjectNode last;
    private boolean isDecided;
    private int nothing;
    private int quiet;
    private boolean ended;

    /**
     * @param mayWait returns whether the request may wait in the request topic; called only if there is no journal
     *     entry
     */
    Events(String requestId, BooleanSupplier mayWait) {
        this.requestId = requestId;
        this.mayWait = mayWait;
    }

    /** Returns whether no further event follows. */
    boolean isEnded() {
        return ended;
    }

    /**
     * Returns whether the gateway must send a comment now. The gateway detects only by a write that the client has
     * disconnected.
     */
    boolean isQuiet() {
        return quiet > 0 && quiet % QUIET == 0;
    }

    List<Event> of(Seen seen) {
        List<Event> events = eventsOf(seen);
        quiet = events.isEmpty() ? quiet + 1 : 0;
        return events;
    }

    private List<Event> eventsOf(Seen seen) {
        return switch (seen) {
            case Seen.Rename(OwnedEntry rename) -> of(rename);
            case Seen.Nothing none -> ofNothing();
            case Seen.Closed closed -> {
                ended = true;
                yield List.of();
            }
        };
    }

    private List<Event> of(OwnedEntry rename) {
        nothing = 0;
        List<Event> events = new ArrayList<>();
        Optional<DecisionTime> decided = rename.entry().decisionTime().filter(time -> !isDecided);
        decided.ifPresent(time -> {
            events.add(new Event("decided", Json.write(RenameJson.of(requestId, time))));
            isDecided = true;
        });
        Optional<String> outcome = rename.entry().ended().map(Ending::outcome);
        ObjectNode now = RenameJson.of(rename);
        if (outcome.isEmpty() && !now.equals(last)) {
            events.add(new Event("progress", Json.write(now)));
            last = now;
        }
        outcome.ifPresent(json -> {
            events.add(new Event("outcome", json));
            ended = true;
        });
        return events;
    }

    private List<Event> ofNothing() {
        nothing++;
        if (nothing < MOST_EMPTY_READS) {
            return List.of();
        }
        if (mayWait.getAsBoolean()) {
            nothing = 0;
            return List.of();
        }
        ended = true;
        return List.of(new Event("unknown", Json.write(Json.object().put("request_id", requestId))));
    }
}
