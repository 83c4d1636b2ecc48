package org.treerename.simulation;

/** The wiring of a run in which one guard is switched off. */
interface Guard extends Wiring {

    /** Returns a seed that goes wrong without the guard. */
    long seed();
}
