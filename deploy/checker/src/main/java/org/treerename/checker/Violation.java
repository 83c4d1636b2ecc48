package org.treerename.checker;

/**
 * Something that a run has done or left and must not have.
 *
 * @param point of the list of what must hold, from 1 to 10
 * @param words what was expected and what was found
 */
public record Violation(int point, String words) {

    public Violation {
        if (point < 1 || point > 10) {
            throw new IllegalArgumentException("there are ten points, found " + point + ": " + words);
        }
    }

    @Override
    public String toString() {
        return "point " + point + ": " + words;
    }
}
