package org.treerename.benchmark;

/**
 * The number of units of work in a measurement, and the duration of the measurement.
 *
 * @param renames the number of units: renames, or acquired and released lock sets
 * @param seconds the time from the start of the measurement to the end of the last unit
 */
record Throughput(long renames, double seconds) {

    double perSecond() {
        return renames / seconds;
    }
}
