package org.treerename.simulation.schedule;

/** The process of the thread that throws it is dead: nothing catches it, and nothing that it does on the way counts. */
public final class Crash extends Error {

    private static final long serialVersionUID = 1L;

    Crash(String actor) {
        super(actor + " is dead", null, false, false);
    }
}
