package org.treerename.benchmark;

import java.util.List;

/**
 * One thing that is measured. Its own options are fields with picocli's {@code @Option}, whose names no other benchmark has;
 * one without options carries {@code @Command}. A new one is a class and its line in {@link Main#ALL}.
 */
interface Benchmark {

    /** As the command line names it. */
    String name();

    /** What is beside what, in a sentence or two. */
    String compares();

    /**
     * Measures. Whatever it starts beyond the stage's servers, it gives to the stage to be ended or ends itself.
     *
     * @return its tables, in the order in which they are to be read
     */
    List<Comparison> run(Setting setting) throws Exception;
}
