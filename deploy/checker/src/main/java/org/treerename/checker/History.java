package org.treerename.checker;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What happened in a run, in the one order in which it took effect. Only who has simulated the run knows all of it; of a real
 * one it is empty.
 */
public record History(List<Event> events) {

    public static final History UNKNOWN = new History(List.of());

    /** One thing that happened. */
    public sealed interface Event {

        /** A request was given to the log. */
        record Sent(String requestId) implements Event {}

        /** The first outcome of a request could be read. */
        record Answered(String requestId) implements Event {}

        /** The write that decided a rename took effect. */
        record Decided(String requestId) implements Event {}

        /** The write that ended a rename, be it done, rejected or failed, took effect. */
        record Ended(String requestId) implements Event {}

        /**
         * A write of a document for a rename took effect.
         *
         * @param document the index and the id in it, as in {@link TreeDocument#id}
         * @param to null where the document was removed
         */
        record Wrote(
                String requestId,
                String processId,
                String document,
                String from,
                @Nullable String to) implements Event {}

        /**
         * Somebody who takes no locks created, edited or deleted a document. An edit leaves the path fields as it finds
         * them; one that does not is a deletion and a creation.
         *
         * @param path where it stands afterwards; null if it was deleted, as the digest
         */
        record Others(
                String document,
                @Nullable String path,
                @Nullable String digest) implements Event {}

        /** A process was fenced. */
        record Fenced(String processId) implements Event {}
    }

    public History {
        events = List.copyOf(events);
    }

    public boolean isKnown() {
        return !events.isEmpty();
    }
}
