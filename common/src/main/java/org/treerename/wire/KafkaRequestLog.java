package org.treerename.wire;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.treerename.rename.RequestLog;
import org.treerename.store.NoAnswerException;

/** The topic {@link Topics#REQUESTS} and what its broker says of it. Any thread may call it. */
public final class KafkaRequestLog implements RequestLog, AutoCloseable {

    private static final int ANSWER_MILLIS = 10_000;
    private static final Duration CLOSING = Duration.ofSeconds(5);
    private static final ConfigResource TOPIC = new ConfigResource(ConfigResource.Type.TOPIC, Topics.REQUESTS);

    /** Longer than this is for ever: no clock can tell when it ends. */
    private static final Duration LONGEST = Duration.ofDays(365_000);

    private final Admin admin;

    private KafkaRequestLog(Admin admin) {
        this.admin = admin;
    }

    public static KafkaRequestLog connect(String bootstrapServers) {
        return new KafkaRequestLog(Admin.create(Map.of(
                AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers,
                AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, ANSWER_MILLIS,
                AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, ANSWER_MILLIS)));
    }

    @Override
    public Optional<Duration> retention() {
        try {
            Config config = Objects.requireNonNull(
                    admin.describeConfigs(List.of(TOPIC)).all().get().get(TOPIC), Topics.REQUESTS);
            return kept(
                    config.get(TopicConfig.CLEANUP_POLICY_CONFIG).value(),
                    Long.parseLong(config.get(TopicConfig.RETENTION_MS_CONFIG).value()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new NoAnswerException("interrupted while asking for the retention of " + Topics.REQUESTS, e);
        } catch (ExecutionException e) {
            throw new NoAnswerException("the retention of " + Topics.REQUESTS + ": " + e.getCause(), e);
        } catch (KafkaException e) {
            throw new NoAnswerException("the retention of " + Topics.REQUESTS + ": " + e, e);
        }
    }

    /** Records go for their age only where the policy is to delete. */
    static Optional<Duration> kept(String cleanupPolicy, long retentionMillis) {
        boolean forEver = !List.of(cleanupPolicy.split(",")).contains(TopicConfig.CLEANUP_POLICY_DELETE)
                || retentionMillis < 0
                || retentionMillis > LONGEST.toMillis();
        return forEver ? Optional.empty() : Optional.of(Duration.ofMillis(retentionMillis));
    }

    @Override
    public void close() {
        admin.close(CLOSING);
    }
}
