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
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.treerename.rename.RequestLog;
import org.treerename.store.NoAnswerException;
import org.treerename.store.RefusedException;

/** The topic {@link Topics#REQUESTS} and what its broker says of it. Any thread may call it. */
public final class KafkaRequestLog implements RequestLog, AutoCloseable {

    private static final int ANSWER_MILLIS = 10_000;
    private static final Duration CLOSING = Duration.ofSeconds(5);
    private static final ConfigResource TOPIC = new ConfigResource(ConfigResource.Type.TOPIC, Topics.REQUESTS);

    private final Admin admin;

    private KafkaRequestLog(Admin admin) {
        this.admin = admin;
    }

    /** Connects lazily. */
    public static KafkaRequestLog connect(KafkaClientSettings settings) {
        Map<String, Object> decided = Map.of(
                AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, ANSWER_MILLIS,
                AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, ANSWER_MILLIS);
        return new KafkaRequestLog(settings.client(decided, Admin::create));
    }

    /**
     * What it is like now; empty if there is no such topic.
     *
     * @throws NoAnswerException if nobody says
     * @throws RefusedException if this process may not know
     */
    public Optional<RequestTopic> topic() {
        try {
            Config config = Objects.requireNonNull(
                    admin.describeConfigs(List.of(TOPIC)).all().get().get(TOPIC), Topics.REQUESTS);
            return Optional.of(new RequestTopic(
                    config.get(TopicConfig.CLEANUP_POLICY_CONFIG).value(),
                    Long.parseLong(config.get(TopicConfig.RETENTION_MS_CONFIG).value()),
                    Long.parseLong(
                            config.get(TopicConfig.RETENTION_BYTES_CONFIG).value()),
                    config.get(TopicConfig.MESSAGE_TIMESTAMP_TYPE_CONFIG).value()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new NoAnswerException("interrupted while asking for the settings of " + Topics.REQUESTS, e);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof UnknownTopicOrPartitionException) {
                return Optional.empty();
            }
            if (e.getCause() instanceof AuthenticationException notLetIn) {
                throw KafkaEntry.refused(notLetIn);
            }
            if (e.getCause() instanceof AuthorizationException) {
                throw new RefusedException("the settings of " + Topics.REQUESTS + ": " + e.getCause());
            }
            throw new NoAnswerException("the settings of " + Topics.REQUESTS + ": " + e.getCause(), e);
        } catch (KafkaException e) {
            throw new NoAnswerException("the settings of " + Topics.REQUESTS + ": " + e, e);
        }
    }

    @Override
    public Optional<Duration> retention() {
        try {
            return topic().orElseThrow(() -> new NoAnswerException("there is no topic " + Topics.REQUESTS, null))
                    .kept();
        } catch (RefusedException e) {
            throw new NoAnswerException(String.valueOf(e.getMessage()), e);
        }
    }

    @Override
    public void close() {
        admin.close(CLOSING);
    }
}
