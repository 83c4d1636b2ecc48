package org.treerename.benchmark;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import picocli.CommandLine.Option;

/**
 * Measures the costs of one idle worker and of one idle janitor. The two processes run one after the other. So
 * Elasticsearch counts only requests of the running process and of the benchmark. The requests of a process include its
 * heartbeats and probes.
 */
final class Idle implements Benchmark {

    private static final String WORKER = "worker";
    private static final String JANITOR = "janitor";
    private static final double MOST_REQUESTS = 2;
    private static final double MOST_PERCENT = 1;
    private static final int SHORT_SECONDS = 12;
    private static final Duration SETTLING = Duration.ofMinutes(1);

    @Option(
            names = "--idle-seconds",
            defaultValue = "60",
            paramLabel = "N",
            description =
                    "idle: the number of seconds for which each process is measured (default:" + " ${DEFAULT-VALUE}).")
    private int idleSeconds = 60;

    @Option(
            names = "--idle-windows",
            defaultValue = "6",
            paramLabel = "N",
            description = "idle: the number of equal parts of the measured time (default: ${DEFAULT-VALUE}). The"
                    + " benchmark calculates the figures of each part separately.")
    private int windows = 6;

    @Override
    public String name() {
        return "idle";
    }

    @Override
    public String compares() {
        return "The benchmark measures the cost of an idle worker and of an idle janitor. The first figure is the"
                + " number of requests per second that Elasticsearch counts. The second figure is the processor time"
                + " as a share of one core.";
    }

    /**
     * The figures of one process: the HTTP requests per second, and the processor time in percent of one core. Each
     * figure is measured several times.
     */
    private record Watched(Series requests, Series percent) {}

    @Override
    public List<Comparison> run(Setting setting) {
        String[] options = setting.tiny() ? new String[] {"--lease=3s"} : new String[0];
        Watched worker = watch(setting, WORKER, () -> setting.stage().worker(options));
        Watched janitor = watch(setting, JANITOR, () -> setting.stage().janitor(options));
        return List.of(
                new Comparison(
                        "Requests of an idle process to Elasticsearch",
                        "requests/s",
                        Better.LOWER,
                        List.of(worker.requests(), janitor.requests()),
                        bounds(MOST_REQUESTS),
                        List.of("Elasticsearch counts the requests on each of its routes. The counts include"
                                + " heartbeats. The benchmark sends requests to read the counts, and subtracts"
                                + " these requests. The two processes run one after the other.")),
                new Comparison(
                        "Processor time of an idle process",
                        "% of one core",
                        Better.LOWER,
                        List.of(worker.percent(), janitor.percent()),
                        bounds(MOST_PERCENT),
                        List.of(
                                setting.tiny()
                                        ? "The figure includes the start of the process."
                                        : "The first " + SETTLING.toSeconds() + " s after the start of the process"
                                                + " are not counted.")));
    }

    private static List<Goal> bounds(double limit) {
        return List.of(new Goal.AtMost(WORKER, limit), new Goal.AtMost(JANITOR, limit));
    }

    private Watched watch(Setting setting, String name, Supplier<Service> start) {
        Duration window =
                Duration.ofSeconds(setting.size(idleSeconds, SHORT_SECONDS, 2)).dividedBy(setting.size(windows, 2));
        List<Double> requests = new ArrayList<>();
        List<Double> percents = new ArrayList<>();
        try (Service service = start.get()) {
            if (!setting.tiny()) {
                setting.time().pause(SETTLING);
            }
            for (int i = 0; i < setting.size(windows, 2); i++) {
                long begun = setting.time().nanos();
                long requestsBefore = requests(setting.stage().es());
                Duration worked = service.processorTime();
                setting.time().pause(window);
                double seconds = (setting.time().nanos() - begun) / 1e9;
                percents.add(service.processorTime().minus(worked).toNanos() / 1e7 / seconds);
                requests.add((requests(setting.stage().es()) - requestsBefore) / seconds);
                setting.progress()
                        .report(name + ": " + Figure.text(requests.getLast()) + " requests/s, "
                                + Figure.text(percents.getLast()) + " % of one core");
            }
        }
        return new Watched(new Series(name, List.of(), requests), new Series(name, List.of(), percents));
    }

    /** Returns the number of HTTP requests that Elasticsearch has counted, without the requests of this method. */
    private static long requests(Es es) {
        long count = 0;
        for (JsonNode node : es.get("_nodes/stats/http").json().path("nodes")) {
            for (var route : node.path("http").path("routes").properties()) {
                if (!route.getKey().contains("_nodes")) {
                    count += route.getValue().path("requests").path("count").asLong();
                }
            }
        }
        return count;
    }
}
