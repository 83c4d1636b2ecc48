package org.treerename.benchmark;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.treerename.runtime.Time;

/**
 * The servers, the shared directories, the rounds and the sizes with which a benchmark runs.
 *
 * @param directories the directories that all benchmarks share, because the creation of a large directory takes a
 *     minute
 */
record Setting(Stage stage, Directories directories, Rounds rounds, Extent extent, Progress progress, Time time) {

    static final Duration REST = Duration.ofMillis(100);
    private static final Duration TINY_STRETCH = Duration.ofMillis(300);
    private static final Duration SHORT_STRETCH = Duration.ofSeconds(1);
    private static final int SHORT_DOCUMENTS = 10_000;

    /** Selects the sizes of all measurements in a run. */
    enum Extent {
        /** The sizes that the options on the command line set. */
        FULL,
        /**
         * Smaller sizes: at most 10,000 documents in a directory, and at most one second for each measurement. The run
         * takes minutes.
         */
        SHORT,
        /** Tiny sizes: the run only tests that the benchmarks work. */
        TINY
    }

    boolean tiny() {
        return extent == Extent.TINY;
    }

    /** Returns the requested size, or the tiny size in a tiny run. */
    int size(int requested, int tiny) {
        return tiny() ? tiny : requested;
    }

    /**
     * Returns the requested size. In a short run, the result is at most {@code brief}. In a tiny run, the result is
     * {@code tiny}.
     */
    int size(int requested, int brief, int tiny) {
        return switch (extent) {
            case FULL -> requested;
            case SHORT -> Math.min(requested, brief);
            case TINY -> tiny;
        };
    }

    /**
     * Returns the requested numbers of documents in ascending order. In a short run, omits numbers above 10,000. If no
     * number remains, returns 10,000. In a tiny run, returns only {@code tiny}.
     */
    List<Integer> documents(List<Integer> requested, int tiny) {
        List<Integer> sorted = requested.stream().distinct().sorted().toList();
        return switch (extent) {
            case FULL -> sorted;
            case SHORT ->
                sorted.getFirst() > SHORT_DOCUMENTS
                        ? List.of(SHORT_DOCUMENTS)
                        : sorted.stream()
                                .filter(size -> size <= SHORT_DOCUMENTS)
                                .toList();
            case TINY -> List.of(tiny);
        };
    }

    /** Returns the duration of one measurement: the requested number of seconds, or less in a short or tiny run. */
    Duration stretch(int seconds) {
        Duration requested = Duration.ofSeconds(seconds);
        return switch (extent) {
            case FULL -> requested;
            case SHORT -> requested.compareTo(SHORT_STRETCH) < 0 ? requested : SHORT_STRETCH;
            case TINY -> TINY_STRETCH;
        };
    }

    /** Runs the work, and returns its duration in seconds. */
    double seconds(Stretch work) throws Exception {
        long begun = time.nanos();
        work.run();
        return (time.nanos() - begun) / 1e9;
    }

    /** Measures a figure {@code count} times, with a pause before each measurement. Returns the median. */
    double median(int count, Callable<Double> figure) throws Exception {
        List<Double> figures = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            time.pause(REST);
            figures.add(figure.call());
        }
        return Spread.of(figures).median();
    }

    /** Work whose duration a benchmark measures. */
    interface Stretch {
        void run() throws Exception;
    }
}
