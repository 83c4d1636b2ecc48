package org.treerename.simulation.schedule;

/** Ends a thread of a dead process. No code catches it, and the code that runs while it is thrown has no effect. */
public final class Crash extends Error {

    private static final long serialVersionUID = 1L;

    Crash(String actor) {
        super(actor + " is dead", null, false, false);
    }
}
