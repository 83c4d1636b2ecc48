package org.treerename.benchmark;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.treerename.benchmark.Rounds.Measure;
import org.treerename.benchmark.Rounds.Side;

/** Sides of which, besides how many renames a second they do, the processor time of each rename is measured, by role. */
final class Costs {

    private static final String PER_SECOND = "renames/s";
    private static final String MILLIS = "ms";

    /** The processes that take part in what the engine does. */
    static final List<Role> ENGINE = List.of(Role.values());

    /** The processes that take part in what a peer does, whose code runs in the measuring client. */
    static final List<Role> PEER = List.of(Role.ELASTICSEARCH, Role.CLIENT);

    private final ProcessorTime time;

    Costs(ProcessorTime time) {
        this.time = time;
    }

    /** What a side does once. */
    interface Work {
        Throughput once() throws Exception;
    }

    /**
     * Returns a side that is played like this.
     *
     * @param before what is done before each play and does not count
     * @param after what is checked after each play and does not count
     */
    Side side(String name, List<Role> roles, Runnable before, Work work, Runnable after) {
        List<Measure> measures = new ArrayList<>(List.of(new Measure(name, PER_SECOND)));
        roles.forEach(role -> measures.add(new Measure(name(name, role), MILLIS)));
        return new Side(measures, () -> {
            before.run();
            ProcessorTime.Reading begun = time.read();
            Throughput done = work.once();
            Map<Role, Duration> used = time.read().since(begun);
            after.run();
            return figures(done, roles, used);
        });
    }

    /** The renames a second, and the milliseconds of each role for each rename; with no rename the time of all. */
    static List<Double> figures(Throughput done, List<Role> roles, Map<Role, Duration> used) {
        List<Double> figures = new ArrayList<>(List.of(done.perSecond()));
        for (Role role : roles) {
            figures.add(used.getOrDefault(role, Duration.ZERO).toNanos() / 1e6 / Math.max(1, done.renames()));
        }
        return figures;
    }

    /** The name of the figure of one role beside that of the side. */
    static String name(String side, Role role) {
        return side + ": " + role.words();
    }

    /** The figures of these sides without their costs. */
    static List<Series> figuresOf(List<String> sides, List<Series> played) {
        return played.stream().filter(series -> sides.contains(series.side())).toList();
    }

    /** The costs of these sides as a comparison of their own. */
    static Comparison comparison(String title, List<String> sides, List<Series> played, List<Goal> goals) {
        return new Comparison(
                "Processor time for each rename: " + title,
                MILLIS,
                Better.LOWER,
                played.stream().filter(series -> !sides.contains(series.side())).toList(),
                goals,
                List.of(
                        "In user and kernel mode, from /proc, of all threads of the processes: what else they do meanwhile,"
                                + " compilers and collectors above all, is included."));
    }
}
