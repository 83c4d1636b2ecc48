package org.treerename.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;

/**
 * The events of a run as lines of text. If the lines are not stored, the history only calculates a fingerprint of the
 * times and the names of the processes.
 */
final class History {

    private final boolean kept;
    private final List<String> lines = new ArrayList<>();
    private long fingerprint = 17;

    History(boolean kept) {
        this.kept = kept;
    }

    /** Adds a line. The text is created only if the history stores lines. */
    void report(long atNanos, String who, Supplier<String> words) {
        fingerprint = fingerprint * 1_000_003 + atNanos * 31 + who.hashCode();
        if (kept) {
            lines.add(String.format(Locale.ROOT, "%12.6f s  %-12s %s", atNanos / 1e9, who, words.get()));
        }
    }

    List<String> lines() {
        return List.copyOf(lines);
    }

    long fingerprint() {
        return fingerprint;
    }
}
