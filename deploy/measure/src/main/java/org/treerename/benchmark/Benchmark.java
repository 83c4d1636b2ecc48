package org.treerename.benchmark;

import java.util.List;

/**
 * Measures several ways to do the same work, and compares their figures. The options of a benchmark are fields with
 * picocli's {@code @Option}. Two benchmarks must not have options with the same name. A benchmark without options needs
 * the annotation {@code @Command}. To add a benchmark, implement this interface, and add the class to {@link Main#ALL}.
 */
interface Benchmark {

    /** Returns the name of this benchmark, as it is written on the command line. */
    String name();

    /** Returns a short text that describes the comparisons of the benchmark. */
    String compares();

    /**
     * Runs the benchmark. The stage ends the servers that it started, and every process that is registered at the
     * stage. If the benchmark starts another process, it must register or end this process.
     *
     * @return the comparisons, in the order of the report
     */
    List<Comparison> run(Setting setting) throws Exception;
}
