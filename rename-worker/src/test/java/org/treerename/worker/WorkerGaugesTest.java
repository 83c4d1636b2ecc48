package org.treerename.worker;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.MetricName;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.treerename.runtime.ManualTime;
import org.treerename.runtime.Watchdog;
import org.treerename.service.Host;
import org.treerename.service.Instrumentation;
import org.treerename.service.ServiceOptions;
import picocli.CommandLine;

class WorkerGaugesTest {

    private static final MetricName LAG = new MetricName(
            "records-lag", "consumer-fetch-manager-metrics", "as Kafka's client reports it", Map.of("partition", "0"));

    private record LagMetric(double records) implements Metric {
        @Override
        public MetricName metricName() {
            return LAG;
        }

        @Override
        public Object metricValue() {
            return records;
        }
    }

    private final ManualTime time = ManualTime.startingAt("2026-03-01T10:00:00Z");
    private final Host opened = CommandLine.populateCommand(
                    new ServiceOptions(),
                    "--kafka-bootstrap-servers=kafka:9092",
                    "--elasticsearch-url=http://elastic:9200",
                    "--log-format=TEXT")
            .host(Instrumentation.NONE);
    private final Host host = new Host(opened.settings(), opened.instrumentation(), time, opened.observability());
    private final AtomicBoolean heldUp = new AtomicBoolean();
    private final Watchdog renames = new Watchdog(time, Duration.ofMinutes(10), heldUp::get);
    private final MockConsumer<byte[], byte[]> consumer = new MockConsumer<>("none") {
        @Override
        public synchronized Map<MetricName, ? extends Metric> metrics() {
            return Map.of(LAG, new LagMetric(7));
        }
    };
    private final WorkerGauges gauges = WorkerGauges.of(host, renames, consumer);

    @AfterEach
    void close() {
        opened.close();
    }

    private Iterable<String> notReady() {
        return host.observability().health().ready().failing().keySet();
    }

    private Iterable<String> notAlive() {
        return host.observability().health().live().failing().keySet();
    }

    @Test
    void a_worker_is_not_ready_until_it_is_a_member_of_its_group() {
        Iterable<String> before = notReady();
        gauges.update(new LoopReading(true, false, 0, Map.of()));
        Iterable<String> member = notReady();
        gauges.update(new LoopReading(false, false, 0, Map.of()));

        assertThat(before).containsExactly("group");
        assertThat(member).isEmpty();
        assertThat(notReady()).containsExactly("group");
    }

    @Test
    void a_worker_is_not_alive_if_no_round_of_its_loop_ends_for_a_minute() {
        time.advance(Duration.ofMinutes(1));
        Iterable<String> within = notAlive();
        time.advance(Duration.ofMillis(1));
        Iterable<String> after = notAlive();
        gauges.update(LoopReading.NONE);

        assertThat(within).isEmpty();
        assertThat(after).containsExactly("loop");
        assertThat(notAlive()).isEmpty();
    }

    @Test
    void a_worker_with_a_rename_that_is_stuck_is_not_alive() {
        renames.watch(() -> {
            time.advance(Duration.ofMinutes(10).plusMillis(1));
            gauges.update(LoopReading.NONE);

            assertThat(notAlive()).containsExactly("renames");
        });
    }

    @Test
    void shows_the_running_and_queued_requests_and_the_lag() {
        gauges.update(new LoopReading(
                true, false, 3, Map.of("0", new LoopReading.Queue(5, 2), "1", new LoopReading.Queue(0, 0))));

        assertThat(host.observability().meters().shown().lines())
                .contains(
                        "tree_rename_running 3.0",
                        "tree_rename_queue_requests{partition=\"0\"} 5.0",
                        "tree_rename_queue_requests{partition=\"1\"} 0.0",
                        "tree_rename_lag_records{partition=\"0\"} 12.0",
                        "tree_rename_lag_records{partition=\"1\"} 0.0",
                        "tree_rename_not_begun_records{partition=\"0\"} 9.0",
                        "tree_rename_not_begun_records{partition=\"1\"} 0.0");
    }
}
