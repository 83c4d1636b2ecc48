package org.treerename.benchmark;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.treerename.benchmark.Rounds.Measure;
import org.treerename.benchmark.Rounds.Side;

/** Measures the renames per second of each side, and the processor time of a rename for each role. */
final class Costs {

    private static final String PER_SECOND = "renames/s";
    private static final String MILLIS = "ms";

    /** The roles of the processes that take part in a rename of the engine. */
    static final List<Role> ENGINE = List.of(Role.values());

    /**
     * The roles of the processes that take part in a rename of a peer. A peer is a compared method without the engine.
     * Its code runs in the measuring client.
     */
    static final List<Role> PEER = List.of(Role.ELASTICSEARCH, Role.CLIENT);

    private final ProcessorTime time;

    Costs(ProcessorTime time) {
        this.time = time;
    }

    /** The work of one measurement of a side. */
    interface Work {
        Throughput once() throws Exception;
    }

    /**
     * Returns a side that does this work in each measurement.
     *
     * @param before runs before each measurement, and is not measured
     * @param after checks the result after each measurement, and is not measured
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

    /**
     * Returns the renames per second, and the milliseconds of each role per rename. If there was no rename, returns the
     * whole time of each role.
     */
    static List<Double> figures(Throughput done, List<Role> roles, Map<Role, Duration> used) {
        List<Double> figures = new ArrayList<>(List.of(done.perSecond()));
        for (Role role : roles) {
            figures.add(used.getOrDefault(role, Duration.ZERO).toNanos() / 1e6 / Math.max(1, done.renames()));
        }
        return figures;
    }

    /** Returns the name of the figure of one role for a side. */
    static String name(String side, Role role) {
        return side + ": " + role.words();
    }

    /** Returns the renames per second of these sides, without their processor time. */
    static List<Series> figuresOf(List<String> sides, List<Series> played) {
        return played.stream().filter(series -> sides.contains(series.side())).toList();
    }

    /** Returns a comparison of the processor time for each rename of these sides. */
    static Comparison comparison(String title, List<String> sides, List<Series> played, List<Goal> goals) {
        return new Comparison(
                "Processor time for each rename: " + title,
                MILLIS,
                Better.LOWER,
                played.stream().filter(series -> !sides.contains(series.side())).toList(),
                goals,
                List.of("The time in user and kernel mode of all threads of the processes, from /proc. The time"
                        + " includes other work of the processes, mainly of compilers and garbage"
                        + " collectors."));
    }
}
