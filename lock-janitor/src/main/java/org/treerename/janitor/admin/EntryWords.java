package org.treerename.janitor.admin;

import org.treerename.journal.JournalEntry;
import org.treerename.overview.OverviewJson;

/** Describes journal entries in words, for people. */
final class EntryWords {

    private EntryWords() {}

    /** Returns the source and the destination of a rename, or the directories that a writer writes into. */
    static String what(JournalEntry entry) {
        var request = entry.request();
        var writeTarget = entry.writeTarget();
        if (request != null) {
            return request.source() + " to " + request.destination();
        }
        return writeTarget == null ? "-" : "writing into " + String.join(", ", writeTarget.directories());
    }

    static String of(JournalEntry entry) {
        return "request " + entry.requestId() + " (" + what(entry)
                + entry.namespace().map(name -> " in " + name).orElse("") + ") is "
                + OverviewJson.word(entry.state());
    }
}
