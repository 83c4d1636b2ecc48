package org.treerename.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.treerename.elastic.Elastic;
import org.treerename.elastic.ElasticTreeStore;
import org.treerename.installation.Installation;
import org.treerename.kafka.KafkaClientSettings;
import org.treerename.process.Lease;
import org.treerename.runtime.ManualTime;
import org.treerename.runtime.StopSignal;

class HeartbeatHealthTest {

    private static final Duration LEASE = Duration.ofSeconds(30);

    private final ManualTime time = ManualTime.startingAt("2026-03-01T10:00:00Z");
    private final Host host = new Host(
            new ServiceSettings(
                    null,
                    KafkaClientSettings.of("kafka:9092"),
                    Elastic.Settings.of("http://elasticsearch:9200", Duration.ofSeconds(5)),
                    0,
                    new Lease(LEASE),
                    new ElasticTreeStore.Limits(10, 1_000),
                    10,
                    null,
                    Duration.ofSeconds(1)),
            Instrumentation.NONE,
            time,
            Observability.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), Installation.DEFAULT));
    private final StopSignal stop = new StopSignal();
    private final HeartbeatHealth heartbeatHealth = new HeartbeatHealth(host, stop);

    @AfterEach
    void close() {
        host.close();
    }

    private void begun() {
        heartbeatHealth.show();
        host.observability().health().begun();
    }

    private Iterable<String> notReady() {
        return host.observability().health().ready().failing().keySet();
    }

    private Iterable<String> notAlive() {
        return host.observability().health().live().failing().keySet();
    }

    @Test
    void a_process_without_a_document_is_alive_and_not_ready() {
        assertThat(notAlive()).isEmpty();
        assertThat(notReady()).containsExactly("begun");
    }

    @Test
    void is_not_ready_before_its_first_incarnation_and_between_two() {
        Iterable<String> before;
        try (Observability observability =
                Observability.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), Installation.DEFAULT)) {
            before = observability.health().ready().failing().keySet();
        }
        begun();
        Iterable<String> within = notReady();
        var next = new HeartbeatHealth(host, stop);
        next.show();

        assertThat(before).containsExactly("begun");
        assertThat(within).isEmpty();
        assertThat(notReady()).containsExactly("begun");
    }

    @Test
    void is_ready_while_the_last_acknowledged_heartbeat_is_not_older_than_the_lease() {
        begun();
        time.advance(LEASE);
        Iterable<String> within = notReady();
        time.advance(Duration.ofMillis(1));
        Iterable<String> after = notReady();
        heartbeatHealth.acknowledged(time.nanos());

        assertThat(within).isEmpty();
        assertThat(after).containsExactly("heartbeat");
        assertThat(notReady()).isEmpty();
    }

    @Test
    void is_alive_while_heartbeats_are_sent_even_without_answers() {
        heartbeatHealth.show();
        time.advance(LEASE.multipliedBy(2).plusMillis(1));
        Iterable<String> silent = notAlive();
        heartbeatHealth.beating();

        assertThat(silent).containsExactly("heartbeat");
        assertThat(notAlive()).isEmpty();
    }

    @Test
    void is_not_ready_after_the_stop_signal() {
        begun();
        stop.request();

        assertThat(notReady()).containsExactly("stopping");
        assertThat(notAlive()).isEmpty();
    }

    @Test
    void the_metrics_show_the_age_of_the_last_acknowledged_heartbeat() {
        heartbeatHealth.show();
        time.advance(Duration.ofMillis(1_500));

        assertThat(host.observability().meters().shown()).contains("tree_rename_heartbeat_age_seconds 1.5");
    }
}
