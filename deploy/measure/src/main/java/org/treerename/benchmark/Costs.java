package org.treerename.benchmark;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.treerename.benchmark.Moving.MeasuredWay;
import org.treerename.benchmark.Moving.Move;
import org.treerename.benchmark.Moving.Way;
import org.treerename.benchmark.Rounds.Measure;
import org.treerename.benchmark.Rounds.Side;

/**
 * Measures how many renames each side makes per second, and how much processor time each role uses for one rename.
 */
final class Costs {

    private static final String MILLIS = "ms";

    /** The roles of the processes that take part in a rename by tree rename. */
    static final List<Role> ENGINE = List.of(Role.values());

    /**
     * The roles of the processes that take part in a rename by a peer. A peer is a compared way to rename that does not
     * use tree rename. The code of a peer runs in the measuring client.
     */
    static final List<Role> PEER = List.of(Role.ELASTICSEARCH, Role.CLIENT);

    private final ProcessorTime time;

    Costs(ProcessorTime time) {
        this.time = time;
    }

    /** Does the work of a side for one measurement. Returns the number of renames, and the duration in seconds. */
    interface Work {
        Throughput once() throws Exception;
    }

    /**
     * Returns a side that does {@code work} in each measurement.
     *
     * @param before runs before each measurement, and is not measured
     * @param after checks the result after each measurement, and is not measured
     */
    Side side(String name, List<Role> roles, Runnable before, Work work, Runnable after) {
        return new Side(measures(List.of(new Measure(name, "renames/s")), roles), () -> {
            before.run();
            ProcessorTime.Reading begun = time.read();
            Throughput done = work.once();
            Map<Role, Duration> used = time.read().since(begun);
            after.run();
            return figures(done, roles, used);
        });
    }

    /**
     * Returns these measures, and one measure of the processor time for each role. The name of the first measure is the
     * name of the side.
     */
    static List<Measure> measures(List<Measure> measures, List<Role> roles) {
        String side = measures.getFirst().name();
        return Stream.concat(measures.stream(), roles.stream().map(role -> new Measure(name(side, role), MILLIS)))
                .toList();
    }

    /**
     * Adds one figure for each role to the figures of a way to rename. This figure is the processor time of the role
     * for the whole rename, in milliseconds.
     */
    MeasuredWay measured(List<Role> roles, MeasuredWay way) {
        return (from, to) -> {
            ProcessorTime.Reading begun = time.read();
            Move move = way.move(from, to);
            List<Double> figures = new ArrayList<>(move.figures());
            figures.addAll(millis(roles, time.read().since(begun), 1));
            return new Move(move.documents(), figures);
        };
    }

    /** Returns a side that renames a directory without tree rename, and ends with a refresh. */
    Side refreshedSide(Setting setting, Moving directory, String name, Way way) {
        return directory.side(
                setting,
                measures(Moving.refreshedMeasures(name), PEER),
                measured(PEER, directory.refreshed(setting, way)));
    }

    /**
     * Returns the number of renames per second, and the processor time of each role per rename, in milliseconds. If
     * nothing was renamed, returns the total processor time of each role.
     */
    static List<Double> figures(Throughput done, List<Role> roles, Map<Role, Duration> used) {
        List<Double> figures = new ArrayList<>(List.of(done.perSecond()));
        figures.addAll(millis(roles, used, Math.max(1, done.renames())));
        return figures;
    }

    private static List<Double> millis(List<Role> roles, Map<Role, Duration> used, long renames) {
        return roles.stream()
                .map(role -> used.getOrDefault(role, Duration.ZERO).toNanos() / 1e6 / renames)
                .toList();
    }

    /** Returns the name of a processor time in the report. The name contains the side and the role. */
    static String name(String side, Role role) {
        return side + ": " + role.words();
    }

    /** Returns the series of these sides, without the series of processor times. */
    static List<Series> figuresOf(List<String> sides, List<Series> played) {
        return played.stream().filter(series -> sides.contains(series.side())).toList();
    }

    /**
     * Returns a comparison of the processor times for one rename.
     *
     * @param others the names of the series in {@code played} that are not processor times
     */
    Comparison comparison(String title, List<String> others, List<Series> played, List<Goal> goals) {
        return new Comparison(
                "Processor time for each rename: " + title,
                MILLIS,
                Better.LOWER,
                played.stream()
                        .filter(series -> !others.contains(series.side()))
                        .toList(),
                goals,
                List.of("Each figure is the time in user and kernel mode of all threads of the processes, from /proc."
                        + " The time includes other work of the processes, mainly of compilers and garbage"
                        + " collectors."));
    }
}
