package org.treerename.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;

/** What happened in a run, line by line; where nobody wants to read it, only its fingerprint. */
final class History {

    private final boolean kept;
    private final List<String> lines = new ArrayList<>();
    private long fingerprint = 17;

    History(boolean kept) {
        this.kept = kept;
    }

    /** The words are made only where they are kept. */
    void tell(long atNanos, String who, Supplier<String> words) {
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
