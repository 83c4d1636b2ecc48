package org.treerename.simulation.schedule;

/**
 * Ends a thread of a dead process. No thread continues its work after this error. The code in {@code catch} and
 * {@code finally} blocks still runs, but has no effect.
 */
public final class Crash extends Error {

    private static final long serialVersionUID = 1L;

    Crash(String actor) {
        super(actor + " is dead", null, false, false);
    }
}
