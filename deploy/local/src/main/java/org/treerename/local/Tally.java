package org.treerename.local;

import java.util.ArrayList;
import java.util.List;

/** What a walk has met. One thread counts. */
final class Tally {
    long directories;
    long files;
    long links;
    long special;
    long unreadable;
    long unnameable;
    boolean limitReached;

    /** How many files and directories were told. */
    long documents() {
        return directories + files;
    }

    /** What was left out, in words; empty if nothing was. */
    List<String> leftOut() {
        List<String> words = new ArrayList<>();
        add(words, "symbolic links", links);
        add(words, "special files (devices, sockets, pipes)", special);
        add(words, "names that are no valid UTF-8, or too long or deep for a path, and what is below", unnameable);
        add(words, "what could not be read", unreadable);
        if (limitReached) {
            words.add("everything after the first " + documents() + " entries");
        }
        return words;
    }

    private static void add(List<String> words, String what, long count) {
        if (count > 0) {
            words.add(what + ": " + count);
        }
    }

    void add(Tally other) {
        directories += other.directories;
        files += other.files;
        links += other.links;
        special += other.special;
        unreadable += other.unreadable;
        unnameable += other.unnameable;
        limitReached |= other.limitReached;
    }
}
