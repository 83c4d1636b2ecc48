package org.treerename.observe;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.MultiGauge.Row;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.DoubleSupplier;
import java.util.function.Supplier;
import org.treerename.installation.Installation;

/** The metrics of one process, from its start to its end. Any thread may call this class. */
public final class Meters implements AutoCloseable {

    /** The value of a label that does not apply. */
    static final String NONE = "none";

    /** A gauge with one value for each value of its label. */
    private record ByLabel(MultiGauge gauge, Supplier<Map<String, Double>> now) {}

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final Map<Metric, ByLabel> byLabel = new ConcurrentHashMap<>();
    private final Map<Metric, DoubleSupplier> values = new ConcurrentHashMap<>();

    /** The label that all metrics have if the installation has a prefix. The value of the label is the prefix. */
    public static final String INSTALLATION = "installation";

    /**
     * Creates the registry, with the metrics of the Java virtual machine: memory, threads, processors and uptime. If
     * the installation has a prefix, each metric has the label {@value #INSTALLATION}.
     */
    public Meters(Installation installation) {
        if (!installation.prefix().isEmpty()) {
            registry.config().commonTags(INSTALLATION, installation.prefix());
        }
        new JvmMemoryMetrics().bindTo(registry);
        new JvmThreadMetrics().bindTo(registry);
        new ProcessorMetrics().bindTo(registry);
        new UptimeMetrics().bindTo(registry);
    }

    /** Returns the current values of all metrics in Prometheus' text format. */
    public String shown() {
        byLabel.forEach((metric, values) -> values.gauge()
                .register(
                        values.now().get().entrySet().stream()
                                .map(e -> Row.of(Tags.of(metric.labels().getFirst(), e.getKey()), e.getValue()))
                                .toList(),
                        true));
        return registry.scrape();
    }

    /** Sets the supplier of a gauge's value. A later call replaces the supplier. */
    public void show(Metric gauge, DoubleSupplier now) {
        if (values.put(gauge, now) == null) {
            Gauge.builder(gauge.meter(), () -> now(gauge))
                    .description(gauge.meaning())
                    .register(registry);
        }
    }

    private double now(Metric gauge) {
        DoubleSupplier now = values.get(gauge);
        return now == null ? Double.NaN : now.getAsDouble();
    }

    /**
     * Sets the supplier of the values of a gauge with one label. The supplier returns one value of the gauge for each
     * value of the label. A later call replaces the supplier.
     */
    public void showByLabel(Metric gauge, Supplier<Map<String, Double>> now) {
        byLabel.compute(gauge, (metric, before) -> {
            MultiGauge values = before == null
                    ? MultiGauge.builder(metric.meter())
                            .description(metric.meaning())
                            .register(registry)
                    : before.gauge();
            return new ByLabel(values, now);
        });
    }

    public void count(Metric counter, String... labelValues) {
        Counter.builder(counter.meter())
                .description(counter.meaning())
                .tags(tags(counter, labelValues))
                .register(registry)
                .increment();
    }

    void time(Metric timer, Duration took, String... labelValues) {
        Timer.builder(timer.meter())
                .description(timer.meaning())
                .tags(tags(timer, labelValues))
                .register(registry)
                .record(took);
    }

    private static Tags tags(Metric metric, String... labelValues) {
        if (labelValues.length != metric.labels().size()) {
            throw new IllegalArgumentException(
                    metric + " has the labels " + metric.labels() + ", found " + labelValues.length + " values");
        }
        Tags tags = Tags.empty();
        for (int i = 0; i < labelValues.length; i++) {
            tags = tags.and(metric.labels().get(i), labelValues[i]);
        }
        return tags;
    }

    @Override
    public void close() {
        registry.close();
    }
}
