package org.treerename.runtime;

import java.util.Comparator;
import java.util.Optional;
import java.util.Set;

/** Suggests a known name for a misspelt name. */
public final class SimilarName {

    private SimilarName() {}

    /** Returns the known name that is most similar to this name; empty if no known name is similar enough. */
    public static Optional<String> to(String name, Set<String> known) {
        return known.stream()
                .min(Comparator.comparingInt(candidate -> editDistance(name, candidate)))
                .filter(candidate -> editDistance(name, candidate) <= Math.max(2, name.length() / 3));
    }

    private static int editDistance(String one, String other) {
        int[] row = new int[other.length() + 1];
        for (int j = 0; j <= other.length(); j++) {
            row[j] = j;
        }
        for (int i = 1; i <= one.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= other.length(); j++) {
                int replaced = diagonal + (one.charAt(i - 1) == other.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(replaced, 1 + Math.min(row[j], row[j - 1]));
            }
        }
        return row[other.length()];
    }
}
