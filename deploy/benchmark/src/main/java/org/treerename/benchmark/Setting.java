package org.treerename.benchmark;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.treerename.runtime.Time;

/**
 * What a benchmark is run in.
 *
 * @param directories that benchmarks share, because a large one takes a minute to make
 */
record Setting(Stage stage, Directories directories, Rounds rounds, Extent extent, Progress progress, Time time) {

    static final Duration REST = Duration.ofMillis(100);
    private static final Duration TINY_STRETCH = Duration.ofMillis(300);
    private static final Duration SHORT_STRETCH = Duration.ofSeconds(1);
    private static final int SHORT_DOCUMENTS = 10_000;

    /** How much is measured. */
    enum Extent {
        /** As the options say. */
        FULL,
        /** In minutes: every size up to 10,000 documents, every side for a second. */
        SHORT,
        /** Tiny sizes: only the running itself is tried. */
        TINY
    }

    boolean tiny() {
        return extent == Extent.TINY;
    }

    /** Returns the size as it was asked for, or the tiny one. */
    int size(int asked, int tiny) {
        return tiny() ? tiny : asked;
    }

    /** Returns the size as it was asked for, at most {@code brief} in the short mode, or the tiny one. */
    int size(int asked, int brief, int tiny) {
        return switch (extent) {
            case FULL -> asked;
            case SHORT -> Math.min(asked, brief);
            case TINY -> tiny;
        };
    }

    /** Returns the sizes in documents that were asked for, in their order of size; in the short mode only those up to 10,000. */
    List<Integer> documents(List<Integer> asked, int tiny) {
        List<Integer> sorted = asked.stream().distinct().sorted().toList();
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

    /** Returns for how long a side is played of which so many seconds were asked for. */
    Duration stretch(int seconds) {
        Duration asked = Duration.ofSeconds(seconds);
        return switch (extent) {
            case FULL -> asked;
            case SHORT -> asked.compareTo(SHORT_STRETCH) < 0 ? asked : SHORT_STRETCH;
            case TINY -> TINY_STRETCH;
        };
    }

    /** Returns how many seconds something takes. */
    double seconds(Stretch what) throws Exception {
        long begun = time.nanos();
        what.run();
        return (time.nanos() - begun) / 1e9;
    }

    /** Returns the median of a figure that is taken several times, with a pause before each. */
    double median(int count, Callable<Double> figure) throws Exception {
        List<Double> figures = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            time.pause(REST);
            figures.add(figure.call());
        }
        return Spread.of(figures).median();
    }

    /** What is timed. */
    interface Stretch {
        void run() throws Exception;
    }
}
