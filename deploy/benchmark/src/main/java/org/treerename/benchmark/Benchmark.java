package org.treerename.benchmark;

import java.util.List;

/**
 * One benchmark. Its options are fields with picocli's {@code @Option}, whose names no other benchmark has. A benchmark without options has
 * {@code @Command}. A new benchmark is a class and its line in {@link Main#ALL}.
 */
interface Benchmark {

    /** Returns the name on the command line. */
    String name();

    /** Returns one or two sentences that describe what the benchmark compares. */
    String compares();

    /**
     * Runs the benchmark. It ends every process that it starts besides the servers of the stage, or registers the process at the stage, which ends
     * it.
     *
     * @return the comparisons, in the order of the report
     */
    List<Comparison> run(Setting setting) throws Exception;
}
