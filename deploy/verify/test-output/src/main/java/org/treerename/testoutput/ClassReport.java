package org.treerename.testoutput;

import java.util.Locale;

/**
 * Counts the passed, failed and skipped tests of one class, and measures their time. Any thread may call this class.
 */
final class ClassReport {

    private static final double NANOS_PER_SECOND = 1e9;

    private final long begunNanos;
    private int passed;
    private int failed;
    private int skipped;

    ClassReport(long begunNanos) {
        this.begunNanos = begunNanos;
    }

    synchronized void passed() {
        passed++;
    }

    synchronized void failed() {
        failed++;
    }

    synchronized void skipped() {
        skipped++;
    }

    synchronized boolean isFailed() {
        return failed > 0;
    }

    synchronized Counts counts() {
        return new Counts(passed, failed, skipped);
    }

    /**
     * Returns, for example, {@code 12 tests, 1 failed, 2 skipped, 3.4 s}. The number of failed or skipped tests is
     * omitted if it is 0.
     */
    synchronized String text(long endedNanos) {
        int tests = passed + failed + skipped;
        return tests
                + (tests == 1 ? " test" : " tests")
                + (failed == 0 ? "" : ", " + failed + " failed")
                + (skipped == 0 ? "" : ", " + skipped + " skipped")
                + String.format(Locale.ROOT, ", %.1f s", (endedNanos - begunNanos) / NANOS_PER_SECOND);
    }
}
