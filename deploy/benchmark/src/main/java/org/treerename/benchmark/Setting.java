package org.treerename.benchmark;

import org.treerename.runtime.Time;

/**
 * What a benchmark is run in.
 *
 * @param quick whether sizes are to be tiny, whatever the options say: then only the running itself is tried
 */
record Setting(Stage stage, Rounds rounds, boolean quick, Progress progress, Time time) {

    /** The size as it was asked for, or the tiny one. */
    int size(int asked, int tiny) {
        return quick ? tiny : asked;
    }

    /** How many seconds something takes. */
    double seconds(Stretch what) throws Exception {
        long begun = time.nanos();
        what.run();
        return (time.nanos() - begun) / 1e9;
    }

    /** What is timed. */
    interface Stretch {
        void run() throws Exception;
    }
}
