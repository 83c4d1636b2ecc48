package org.treerename.benchmark;

/** The direction in which figures are better. */
enum Better {
    LOWER,
    HIGHER;

    /** Returns how many times as good the one figure is as the other. */
    double ratio(double one, double other) {
        return this == HIGHER ? one / other : other / one;
    }
}
