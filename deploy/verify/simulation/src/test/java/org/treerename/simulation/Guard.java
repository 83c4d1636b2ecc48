package org.treerename.simulation;

/** The wiring of a run in which one guard is switched off. */
interface Guard extends Wiring {

    /** Returns a seed whose run has a violation without the guard. */
    long seed();

    /**
     * Returns 0. Readers write nothing, but their calls change the order of the calls of a run. Only the guards of
     * readers override this method.
     */
    @Override
    default int mostReaders() {
        return 0;
    }
}
