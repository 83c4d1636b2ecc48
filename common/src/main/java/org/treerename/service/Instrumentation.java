package org.treerename.service;

import org.treerename.process.ProcessStore;
import org.treerename.rename.Stores;
import org.treerename.runtime.Time;

/**
 * Decorates the parts of a service, so that a test can observe or disturb them. The default methods decorate nothing.
 * Only programs for tests have another implementation.
 */
public interface Instrumentation {

    /** The instrumentation of the released programs. It decorates nothing. */
    Instrumentation NONE = new Instrumentation() {};

    /** Decorates the clocks of the process. Called once per process. */
    default Time time(Time time) {
        return time;
    }

    /** Decorates the stores of one incarnation. */
    default Stores stores(Stores stores) {
        return stores;
    }

    /** Decorates the process store of one incarnation. A janitor fences other processes with this store. */
    default ProcessStore processes(ProcessStore processes) {
        return processes;
    }

    /** Runs each time before a worker commits offsets. In a test, this method may return late or never. */
    default void beforeOffset() {}
}
