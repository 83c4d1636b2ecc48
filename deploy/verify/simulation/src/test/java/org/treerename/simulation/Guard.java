package org.treerename.simulation;

/** The wiring of a run in which one guard is switched off. */
interface Guard extends Wiring {

    /** Returns a seed whose run has a violation without the guard. */
    long seed();

    /**
     * Returns 0, unless the guard belongs to readers. Readers write nothing, but their calls change the order of a run.
     */
    @Override
    default int mostReaders() {
        return 0;
    }
}
