package org.treerename.benchmark;

import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Measures the processor time that programs outside a run use on the same machine. Each sample contains the processor
 * time of every process. If a process begins and ends between two samples, its processor time is missing. Any thread
 * may call this class.
 */
final class Neighbours {

    private static final double LEAST_PERCENT = 3;

    private final Map<Long, ProcStat> first = new HashMap<>();
    private final Map<Long, ProcStat> last = new HashMap<>();
    private final Set<Long> own = new HashSet<>();
    private double highestLoad;
    private double latestLoad;
    private int samples;

    /**
     * Adds a sample.
     *
     * @param processes all processes of the machine, by id
     * @param ofTheRun the ids of the run's processes; the later samples need not contain these ids again
     * @param load the load average of the last minute
     */
    synchronized void sample(Map<Long, ProcStat> processes, Set<Long> ofTheRun, double load) {
        own.addAll(ofTheRun);
        processes.forEach((pid, stat) -> {
            // a process that began after the first sample has used its whole processor time during the run
            first.putIfAbsent(pid, samples == 0 ? stat : new ProcStat(stat.name(), Duration.ZERO));
            last.put(pid, stat);
        });
        samples++;
        latestLoad = load;
        highestLoad = Math.max(highestLoad, load);
    }

    /**
     * Describes the load average, and the programs outside the run that used more than a few percent of a core. The
     * program with the most processor time is the first.
     */
    synchronized Map<String, String> describe(Duration length) {
        Map<String, Double> percents = new TreeMap<>();
        last.forEach((pid, stat) -> {
            if (!own.contains(pid)) {
                Duration used =
                        stat.processor().minus(first.getOrDefault(pid, stat).processor());
                percents.merge(stat.name(), 100.0 * used.toNanos() / length.toNanos(), Double::sum);
            }
        });
        List<String> busy = percents.entrySet().stream()
                .filter(program -> program.getValue() >= LEAST_PERCENT)
                .sorted(Map.Entry.<String, Double>comparingByValue(Comparator.reverseOrder()))
                .map(program -> program.getKey() + " " + Figure.text(program.getValue()) + " %")
                .toList();
        Map<String, String> described = new TreeMap<>();
        described.put(
                "load average, the run's own included",
                String.format(Locale.ROOT, "%.2f at the end, at most %.2f", latestLoad, highestLoad));
        described.put(
                "what else used more than " + Figure.text(LEAST_PERCENT) + " % of a core during the run",
                busy.isEmpty() ? "nothing" : String.join(", ", busy));
        return described;
    }
}
