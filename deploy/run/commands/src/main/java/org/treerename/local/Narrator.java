package org.treerename.local;

import java.io.PrintStream;
import java.time.Duration;
import java.util.Locale;
import org.treerename.runtime.Time;

/** Prints the events of the demo, each with the time since the start of the demo. Any thread may call this class. */
final class Narrator {

    private final Time time;
    private final PrintStream out;
    private final long begun;

    Narrator(Time time, PrintStream out) {
        this.time = time;
        this.out = out;
        this.begun = time.nanos();
    }

    void chapter(String title) {
        out.printf("%n%s%n", title);
    }

    /** Prints an event. The format follows {@link String#format}. */
    void report(String format, Object... values) {
        String text = String.format(Locale.ROOT, format, values);
        double seconds = (time.nanos() - begun) / 1e9;
        out.printf(Locale.ROOT, "[%6.1f s] %s%n", seconds, text.replace("\n", System.lineSeparator() + " ".repeat(11)));
    }

    static String seconds(Duration duration) {
        return String.format(Locale.ROOT, "%.1f s", duration.toMillis() / 1_000.0);
    }
}
