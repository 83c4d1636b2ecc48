package org.treerename.simulation;

/** The wiring of a run in which one guard is switched off. */
interface Guard extends Wiring {

    /** Returns a seed that goes wrong without the guard. */
    long seed();

    /** Returns 0 for the guards of other programs: readers write nothing, and their calls change the order of a run. */
    @Override
    default int mostReaders() {
        return 0;
    }
}
