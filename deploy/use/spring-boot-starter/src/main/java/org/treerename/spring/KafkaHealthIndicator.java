package org.treerename.spring;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;
import org.treerename.producer.ProducerSettings;

/**
 * Reports whether Kafka answers and contains the topics of requests and outcomes. The Kafka user needs the right to
 * describe both topics.
 */
final class KafkaHealthIndicator extends AbstractHealthIndicator implements AutoCloseable {

    private final Admin admin;
    private final List<String> topics;
    private final long timeoutMillis;

    KafkaHealthIndicator(ProducerSettings settings) {
        super("the health check of Kafka failed: cannot describe the topics of requests and outcomes");
        Map<String, Object> config = new TreeMap<>(settings.clientProperties());
        config.put(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, settings.bootstrapServers());
        config.put(AdminClientConfig.CLIENT_ID_CONFIG, settings.installation().named("rename-health"));
        this.admin = Admin.create(config);
        this.topics = List.of(
                settings.installation().requests(), settings.installation().outcomes());
        this.timeoutMillis = settings.apiTimeout().toMillis();
    }

    @Override
    protected void doHealthCheck(Health.Builder builder) throws Exception {
        Map<String, ?> found = admin.describeTopics(topics).allTopicNames().get(timeoutMillis, TimeUnit.MILLISECONDS);
        builder.up().withDetail("topics", List.copyOf(found.keySet()));
    }

    @Override
    public void close() {
        admin.close(Duration.ZERO);
    }
}
