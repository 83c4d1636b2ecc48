package org.treerename.producer.cli;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.Locale;
import org.treerename.runtime.Time;

/**
 * Shows progress. On a terminal, each progress line replaces the previous progress line. Without a terminal, each call
 * prints a new line. Any thread may call this class.
 */
final class ProgressLine implements AutoCloseable {

    private static final Duration ON_A_TERMINAL = Duration.ofMillis(200);
    private static final Duration ELSEWHERE = Duration.ofSeconds(10);
    private static final String ERASE = "\r\u001b[K";
    private static final double PERCENT = 100.0;
    private static final double NANOS = 1e9;

    private final PrintWriter err;
    private final boolean terminal;
    private final Time time;
    private final long before;
    private final long startNanos;
    private long shownNanos;
    private boolean isOnScreen;
    private boolean isClosed;

    /**
     * Starts the measurement of the rate.
     *
     * @param before the number of items that were done before this run
     */
    ProgressLine(PrintWriter err, boolean terminal, Time time, long before) {
        this.err = err;
        this.terminal = terminal;
        this.time = time;
        this.before = before;
        this.startNanos = time.nanos();
        this.shownNanos = startNanos;
    }

    /** Returns whether enough time has passed since the last progress line. */
    synchronized boolean isDue() {
        return !isClosed && time.nanos() - shownNanos >= (terminal ? ON_A_TERMINAL : ELSEWHERE).toNanos();
    }

    /**
     * Shows the progress, the rate and the remaining time.
     *
     * @param note a text after the numbers; may be empty
     */
    synchronized void show(long done, long total, String note) {
        if (isClosed) {
            return;
        }
        shownNanos = time.nanos();
        String text = text(done, total, note, Duration.ofNanos(shownNanos - startNanos));
        if (terminal) {
            err.print(ERASE + text);
            err.flush();
            isOnScreen = true;
        } else {
            err.println(text);
        }
    }

    /** Prints a line that no later progress line replaces. */
    synchronized void print(String line) {
        err.println((isOnScreen ? ERASE : "") + line);
        err.flush();
        isOnScreen = false;
    }

    private String text(long done, long total, String note, Duration taken) {
        double perSecond = (done - before) / Math.max(1 / NANOS, taken.toNanos() / NANOS);
        return String.format(
                Locale.ROOT,
                "%d of %d (%.1f %%)%s, %.0f per second%s",
                done,
                total,
                PERCENT * done / Math.max(1, total),
                note,
                perSecond,
                perSecond == 0 || done > total
                        ? ""
                        : ", " + left((long) Math.ceil((total - done) / perSecond)) + " left");
    }

    private static String left(long seconds) {
        Duration duration = Duration.ofSeconds(seconds);
        if (duration.toHours() > 0) {
            return duration.toHours() + " h " + duration.toMinutesPart() + " min";
        }
        return duration.toMinutes() > 0
                ? duration.toMinutes() + " min " + duration.toSecondsPart() + " s"
                : seconds + " s";
    }

    /** Erases the line on a terminal. Later calls show nothing. */
    @Override
    public synchronized void close() {
        isClosed = true;
        if (isOnScreen) {
            err.print(ERASE);
            err.flush();
        }
    }
}
