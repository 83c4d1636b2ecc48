package org.treerename.benchmark;

/** Which figures are the good ones. */
enum Better {
    LOWER,
    HIGHER;

    /** How many times as good the one is as the other. */
    double ratio(double one, double other) {
        return this == HIGHER ? one / other : other / one;
    }
}
