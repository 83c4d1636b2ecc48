package org.treerename.worker;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.Consumer;
import org.treerename.host.Host;
import org.treerename.metrics.Meters;
import org.treerename.metrics.Metric;
import org.treerename.runtime.Health;
import org.treerename.runtime.LastSeen;
import org.treerename.runtime.Watchdog;

/** What one incarnation of a worker tells of its loop. The loop's thread looks, any thread may ask. */
final class WorkerGauges {

    /** A round polls for a second at most, and waits for the commit of offsets of a revoked partition once or twice, 10 s each. */
    private static final Duration ROUND = Duration.ofMinutes(1);

    /** Of Kafka's client, one for each partition. */
    private static final String LAG = "records-lag";

    private final LastSeen rounds;
    private volatile LoopReading last = LoopReading.NONE;

    private WorkerGauges(LastSeen rounds) {
        this.rounds = rounds;
    }

    /**
     * From now on it is that of the process.
     *
     * @param consumer asked for nothing but its metrics, by any thread
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
                        : Optional.of("this worker is no member of its consumer group yet"));
        health.begun();
        Meters meters = host.observability().meters();
        meters.show(Metric.RUNNING, () -> gauges.last.running());
        meters.showByLabel(Metric.QUEUE, () -> gauges.taken(LoopReading.Queue::length));
        meters.showByLabel(Metric.LAG, () -> gauges.behind(consumer, LoopReading.Queue::length));
        meters.showByLabel(Metric.NOT_BEGUN, () -> gauges.behind(consumer, LoopReading.Queue::waiting));
        return gauges;
    }

    /** Returns how many requests are carried, or may begin. */
    int running() {
        return last.runningOrBeginning();
    }

    void look(LoopReading reading) {
        rounds.beat();
        last = reading;
    }

    private Map<String, Double> taken(ToIntFunction<LoopReading.Queue> counted) {
        return last.queues().entrySet().stream()
                .collect(Collectors.toMap(Map.Entry::getKey, e -> (double) counted.applyAsInt(e.getValue())));
    }

    /** As Kafka's client tells it for each partition from which it has fetched, and what was fetched and counts. */
    private Map<String, Double> behind(Consumer<?, ?> consumer, ToIntFunction<LoopReading.Queue> counted) {
        Map<String, Double> lags = new HashMap<>(taken(counted));
        consumer.metrics().forEach((name, value) -> {
            String partition = name.tags().get("partition");
            if (name.name().equals(LAG) && partition != null && value.metricValue() instanceof Double lag && lag > 0) {
                lags.computeIfPresent(partition, (key, taken) -> taken + lag);
            }
        });
        return lags;
    }
}
