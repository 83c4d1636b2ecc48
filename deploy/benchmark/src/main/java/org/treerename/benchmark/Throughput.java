package org.treerename.benchmark;

/**
 * The amount of work in a period of time.
 *
 * @param renames the number of renames, or of other counted work
 * @param seconds the time until the end of the last rename
 */
record Throughput(long renames, double seconds) {

    double perSecond() {
        return renames / seconds;
    }
}
