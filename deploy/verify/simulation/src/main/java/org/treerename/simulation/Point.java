package org.treerename.simulation;

/**
 * The properties that the simulation checks in every run. Each property has the number that the checker uses for it.
 */
public enum Point {
    DOCUMENTS(1),
    PATHS(2),
    ALL_OR_NOTHING(3),
    WITHIN_THE_INTERVAL(4),
    ONCE(5),
    SERIAL_ORDER(6),
    NOTHING_LEFT(7),
    LIVENESS(8),
    FENCED(9),

    /** A view shows the tree as it was at one moment. */
    ONE_MOMENT(10);

    private final int number;

    Point(int number) {
        this.number = number;
    }

    int number() {
        return number;
    }
}
