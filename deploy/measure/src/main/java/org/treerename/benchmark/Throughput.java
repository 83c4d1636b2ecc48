package org.treerename.benchmark;

/**
 * The number of renames in a period of time.
 *
 * @param renames the number of renames, or of other units of work
 * @param seconds the time until the end of the last rename
 */
record Throughput(long renames, double seconds) {

    double perSecond() {
        return renames / seconds;
    }
}
