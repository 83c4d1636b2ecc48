package org.treerename.simulation;

/** The wiring of a run in which one guard is switched off. */
interface Guard extends Wiring {

    /** Returns a seed that goes wrong without the guard. */
    long seed();

    /** Readers write nothing, so a guard of the others is missed as well without them. */
    @Override
    default boolean hasReaders() {
        return false;
    }
}
