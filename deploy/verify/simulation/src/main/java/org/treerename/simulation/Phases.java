package org.treerename.simulation;

/** The phases of a run. All times are in nanoseconds since the beginning of the run. */
final class Phases {

    static final long SECOND = 1_000_000_000;

    /** The end of the phase in which requests are sent. */
    static final long REQUESTS_UNTIL = 3 * SECOND;

    /** The end of the phase in which faults happen. */
    static final long FAULTS_UNTIL = 6 * SECOND;

    /** The time by which the run must be at rest. */
    static final long REST_BY = FAULTS_UNTIL + 60 * SECOND;

    /**
     * The time at which late janitors start. By this time, all late requests have arrived, and every process has made
     * one more attempt after the last arrival.
     */
    static final long JANITORS_COME = FAULTS_UNTIL + Faults.LATEST.toNanos() + 5 * SECOND;

    private Phases() {}
}
