package org.treerename.checker;

/**
 * Something that a run has done or left and must not have.
 *
 * @param point of the list of what must hold, from 1 to 9
 * @param words what was expected and what was found
 */
public record Violation(int point, String words) {

    public Violation {
        if (point < 1 || point > 9) {
            throw new IllegalArgumentException("there are nine points, found " + point + ": " + words);
        }
    }

    @Override
    public String toString() {
        return "point " + point + ": " + words;
    }
}
