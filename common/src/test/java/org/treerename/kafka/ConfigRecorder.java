package org.treerename.kafka;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.common.metrics.KafkaMetric;
import org.apache.kafka.common.metrics.MetricsReporter;

/** Records the configuration that a Kafka client is created with. Kafka's library passes it to each reporter. */
public final class ConfigRecorder implements MetricsReporter {

    private static final String ID = "recorder.id";
    private static final Map<String, Map<String, Object>> configurations = new ConcurrentHashMap<>();

    /** Returns the additional properties of a client whose configuration {@link #of} returns. */
    public static Map<String, String> properties(String id) {
        return Map.of("metric.reporters", ConfigRecorder.class.getName(), ID, id);
    }

    /** Returns the configuration of the client that was created last with this id. */
    public static Map<String, Object> of(String id) {
        return configurations.getOrDefault(id, Map.of());
    }

    @Override
    public void configure(Map<String, ?> configuration) {
        configurations.put(String.valueOf(configuration.get(ID)), new HashMap<>(configuration));
    }

    @Override
    public void init(List<KafkaMetric> metrics) {}

    @Override
    public void metricChange(KafkaMetric metric) {}

    @Override
    public void metricRemoval(KafkaMetric metric) {}

    @Override
    public void close() {}
}
