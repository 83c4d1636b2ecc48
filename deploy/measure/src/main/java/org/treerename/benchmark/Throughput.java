package org.treerename.benchmark;

/**
 * The number of units of work that were done in a measurement, and the time of this measurement.
 *
 * @param renames the number of units: renames, or acquired and released lock sets
 * @param seconds the time until the end of the last unit
 */
record Throughput(long renames, double seconds) {

    double perSecond() {
        return renames / seconds;
    }
}
