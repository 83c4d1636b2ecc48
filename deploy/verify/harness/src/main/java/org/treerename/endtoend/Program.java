package org.treerename.endtoend;

import org.treerename.instrumented.InstrumentedDirect;
import org.treerename.instrumented.InstrumentedJanitor;
import org.treerename.instrumented.InstrumentedWorker;

/**
 * The names of the main classes that tests start. Only tests that need crash points or log lines of the steps start an
 * instrumented program.
 */
final class Program {

    static final String WORKER = org.treerename.worker.Main.class.getName();
    static final String JANITOR = org.treerename.janitor.Main.class.getName();
    static final String INSTRUMENTED_WORKER = InstrumentedWorker.class.getName();
    static final String INSTRUMENTED_DIRECT = InstrumentedDirect.class.getName();
    static final String INSTRUMENTED_JANITOR = InstrumentedJanitor.class.getName();

    private Program() {}
}
