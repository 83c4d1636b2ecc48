package org.treerename.benchmark;

import java.util.List;

/**
 * Measures several ways to do the same work, and compares their figures. The options of a benchmark are fields with
 * picocli's {@code @Option}. No two benchmarks may have an option with the same name. A benchmark without options has
 * {@code @Command}. To add a benchmark, write a class and add it to {@link Main#ALL}.
 */
interface Benchmark {

    /** Returns the name on the command line. */
    String name();

    /** Returns a short text that describes the comparisons of the benchmark. */
    String compares();

    /**
     * Runs the benchmark. The stage ends its own servers and every registered process. The benchmark must end every
     * other process that it starts, or register the process at the stage.
     *
     * @return the comparisons, in the order of the report
     */
    List<Comparison> run(Setting setting) throws Exception;
}
