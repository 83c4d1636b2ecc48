package org.treerename.worker;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.Consumer;
import org.treerename.observe.Meters;
import org.treerename.observe.Metric;
import org.treerename.runtime.Health;
import org.treerename.runtime.LastSeen;
import org.treerename.runtime.Watchdog;
import org.treerename.service.Host;

/**
 * Reports the health and the metrics of a worker's loop. The thread of the loop updates the {@link LoopReading}. Any
 * thread may read the health and the metrics.
 */
final class WorkerGauges {

    /** A round polls for at most 1 s. It may also commit offsets of revoked partitions twice, for at most 10 s each. */
    private static final Duration ROUND = Duration.ofMinutes(1);

    /** The metric of Kafka's client that contains the lag of one partition. */
    private static final String LAG = "records-lag";

    private final LastSeen rounds;
    private volatile LoopReading last = LoopReading.NONE;

    private WorkerGauges(LastSeen rounds) {
        this.rounds = rounds;
    }

    /**
     * Registers the health checks and metrics of a new loop with the process.
     *
     * @param consumer the consumer of the loop; other threads read only its metrics
     */
    static WorkerGauges of(Host host, Watchdog renames, Consumer<?, ?> consumer) {
        WorkerGauges gauges = new WorkerGauges(new LastSeen(host.time()));
        Health health = host.observability().health();
        health.aliveIf("loop", gauges.rounds.within(ROUND, "the last round of the loop ended"));
        health.aliveIf(
                "renames", () -> renames.isStuck() ? Optional.of("a rename makes no progress") : Optional.empty());
        health.readyIf(
                "group",
                () -> gauges.last.joined()
                        ? Optional.empty()
                        : Optional.of("this worker is not a member of its consumer group"));
        health.begun();
        Meters meters = host.observability().meters();
        meters.show(Metric.RUNNING, () -> gauges.last.running());
        meters.showByLabel(Metric.QUEUE, () -> gauges.received(LoopReading.Queue::length));
        meters.showByLabel(Metric.LAG, () -> gauges.behind(consumer, LoopReading.Queue::length));
        meters.showByLabel(Metric.NOT_BEGUN, () -> gauges.behind(consumer, LoopReading.Queue::waiting));
        return gauges;
    }

    /** Returns the number of requests in progress; at least 1 if another request may begin. */
    int running() {
        return last.runningOrBeginning();
    }

    void update(LoopReading reading) {
        rounds.beat();
        last = reading;
    }

    private Map<String, Double> received(ToIntFunction<LoopReading.Queue> counted) {
        return last.queues().entrySet().stream()
                .collect(Collectors.toMap(Map.Entry::getKey, e -> (double) counted.applyAsInt(e.getValue())));
    }

    /** Kafka's client reports the lag only of partitions from which it has fetched. */
    private Map<String, Double> behind(Consumer<?, ?> consumer, ToIntFunction<LoopReading.Queue> counted) {
        Map<String, Double> lags = new HashMap<>(received(counted));
        consumer.metrics().forEach((name, value) -> {
            String partition = name.tags().get("partition");
            if (name.name().equals(LAG) && partition != null && value.metricValue() instanceof Double lag && lag > 0) {
                lags.computeIfPresent(partition, (key, received) -> received + lag);
            }
        });
        return lags;
    }
}
