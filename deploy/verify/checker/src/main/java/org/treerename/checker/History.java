package org.treerename.checker;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The events of a run, in the order in which they took effect. Only a simulation knows all events. The history of a
 * real run is empty.
 */
public record History(List<Event> events) {

    public static final History UNKNOWN = new History(List.of());

    /** A change during a run, for example a sent request or a written document. */
    public sealed interface Event {

        /** A request was appended to the log. */
        record Sent(String requestId) implements Event {}

        /** The first outcome of a request became readable. */
        record Answered(String requestId) implements Event {}

        /** The write that decided a rename took effect. */
        record Decided(String requestId) implements Event {}

        /** The write that ended a rename took effect. The rename was completed, rejected or failed. */
        record Ended(String requestId) implements Event {}

        /**
         * A write of a document for a rename took effect.
         *
         * @param document the index, and the document id in this index, as in {@link TreeDocument#id}
         * @param to the new path; null if the document was removed
         */
        record Wrote(
                String requestId,
                String processId,
                String document,
                String from,
                @Nullable String to) implements Event {}

        /**
         * A writer without locks created, edited or deleted a document. An edit does not change the path fields. A
         * write that changes the path fields is recorded as a deletion and a creation.
         *
         * @param path the path after the write; null if the document was deleted
         * @param digest the digest after the write; null if the document was deleted
         */
        record Others(
                String document,
                @Nullable String path,
                @Nullable String digest) implements Event {}

        /** Elasticsearch has forgotten acknowledged moves of a document, so the document is at an earlier path. */
        record Forgot(String document) implements Event {}

        /** The write that fenced a process took effect. */
        record Fenced(String processId) implements Event {}
    }

    public History {
        events = List.copyOf(events);
    }

    public boolean isKnown() {
        return !events.isEmpty();
    }
}
