package org.treerename.simulation.schedule;

/**
 * Ends a thread of a dead process. No code catches this error. Code in {@code finally} blocks still runs, but has no
 * effect.
 */
public final class Crash extends Error {

    private static final long serialVersionUID = 1L;

    Crash(String actor) {
        super(actor + " is dead", null, false, false);
    }
}
