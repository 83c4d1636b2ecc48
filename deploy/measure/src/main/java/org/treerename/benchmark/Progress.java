package org.treerename.benchmark;

import java.io.PrintStream;
import java.util.Locale;
import org.treerename.runtime.Time;

/** Prints the progress of a run, with the time since the beginning of the run. */
final class Progress {

    private final PrintStream out;
    private final Time time;
    private final long begunNanos;

    Progress(PrintStream out, Time time) {
        this.out = out;
        this.time = time;
        this.begunNanos = time.nanos();
    }

    void report(String words) {
        long seconds = (time.nanos() - begunNanos) / 1_000_000_000;
        out.println(String.format(Locale.ROOT, "%3d:%02d  %s", seconds / 60, seconds % 60, words));
    }
}
