package org.treerename.local;

import java.util.ArrayList;
import java.util.List;

/** The counts of a walk over a directory. Only one thread uses this class. */
final class Tally {
    long directories;
    long files;
    long links;
    long special;
    long unreadable;
    long unnameable;
    boolean limitReached;

    /** Returns the number of files and directories that the walk reported. */
    long documents() {
        return directories + files;
    }

    /** Returns one text for each kind of left-out entries; empty if no entry was left out. */
    List<String> leftOut() {
        List<String> words = new ArrayList<>();
        add(words, "symbolic links", links);
        add(words, "special files (devices, sockets, pipes)", special);
        add(
                words,
                "entries whose name is not valid UTF-8, or whose path is too long or too deep"
                        + " (all entries below them are left out, but not counted)",
                unnameable);
        add(words, "entries that could not be read", unreadable);
        if (limitReached) {
            words.add("all entries after the first " + documents());
        }
        return words;
    }

    private static void add(List<String> words, String entries, long count) {
        if (count > 0) {
            words.add(entries + ": " + count);
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
