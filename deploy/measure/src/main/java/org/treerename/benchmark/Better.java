package org.treerename.benchmark;

/** Whether higher or lower figures are better. */
enum Better {
    LOWER,
    HIGHER;

    /** Returns the ratio of two figures. The ratio is greater than 1 if the first figure is better. */
    double ratio(double one, double other) {
        return this == HIGHER ? one / other : other / one;
    }
}
