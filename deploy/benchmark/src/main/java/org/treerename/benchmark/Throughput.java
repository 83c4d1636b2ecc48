package org.treerename.benchmark;

/**
 * What was done in a while.
 *
 * @param renames that were done, or what else is counted
 * @param seconds until the last of them had ended
 */
record Throughput(long renames, double seconds) {

    double perSecond() {
        return renames / seconds;
    }
}
