package org.treerename.checker;

/**
 * One violation of one of the ten points in {@link Checker}.
 *
 * @param point the number of the point, from 1 to 10
 * @param words a text with the expected state and the found state
 */
public record Violation(int point, String words) {

    public Violation {
        if (point < 1 || point > 10) {
            throw new IllegalArgumentException("expected a point from 1 to 10, found " + point + ": " + words);
        }
    }

    @Override
    public String toString() {
        return "point " + point + ": " + words;
    }
}
