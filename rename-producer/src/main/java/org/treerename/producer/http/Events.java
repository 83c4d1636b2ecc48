package org.treerename.producer.http;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.treerename.overview.OwnedEntry;
import org.treerename.producer.http.Streams.Seen;
import org.treerename.rename.DecisionTime;
import org.treerename.rename.JournalEntry;

/** What one who follows a rename is told of what was seen. One thread calls it. */
final class Events {

    /** Looks that find nothing before it is told that there is nothing. */
    static final int MOST_NOTHING = 60;

    /** Looks in a row of which nothing is told, before there is to be a sign. */
    static final int QUIET = 5;

    /** An event of a stream, with a line of JSON. */
    record Event(String name, String data) {}

    private final String requestId;
    private @Nullable ObjectNode last;
    private boolean isDecided;
    private int nothing;
    private int quiet;
    private boolean ended;

    Events(String requestId) {
        this.requestId = requestId;
    }

    /** Whether nothing follows. */
    boolean isEnded() {
        return ended;
    }

    /** Whether a sign is due that somebody is there: only who writes learns that the other has left. */
    boolean isQuiet() {
        return quiet > 0 && quiet % QUIET == 0;
    }

    List<Event> of(Seen seen) {
        List<Event> told = told(seen);
        quiet = told.isEmpty() ? quiet + 1 : 0;
        return told;
    }

    private List<Event> told(Seen seen) {
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
        Optional<String> outcome = rename.entry().ended().map(JournalEntry.Ending::outcome);
        ObjectNode now = RenameJson.of(rename);
        if (outcome.isEmpty() && !now.equals(last)) {
            events.add(new Event("progress", Json.write(now)));
            last = now;
        }
        outcome.ifPresent(told -> {
            events.add(new Event("outcome", told));
            ended = true;
        });
        return events;
    }

    private List<Event> ofNothing() {
        nothing++;
        if (nothing < MOST_NOTHING) {
            return List.of();
        }
        ended = true;
        return List.of(new Event("unknown", Json.write(Json.object().put("request_id", requestId))));
    }
}
