package org.treerename.wire;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.TopicExistsException;
import org.treerename.store.NoAnswerException;
import org.treerename.store.RefusedException;

/** Creates the topics as they are meant to be. In production an operator does this. */
public final class TopicCreation {

    /** Room for the largest record that a broker takes by default, and for the headers of a dead letter. */
    private static final String DEAD_LETTER_BYTES = String.valueOf(2 * 1024 * 1024);

    /** Ten minutes: who listens later hears of the next. */
    private static final String PROGRESS_MILLIS = String.valueOf(10 * 60 * 1_000);

    private TopicCreation() {}

    /**
     * All of them.
     *
     * @param partitions of each, but the dead letters' one
     */
    public static List<NewTopic> topics(int partitions, short replicas) {
        return List.of(
                new NewTopic(Topics.REQUESTS, partitions, replicas)
                        .configs(Map.of(TopicConfig.MESSAGE_TIMESTAMP_TYPE_CONFIG, "LogAppendTime")),
                new NewTopic(Topics.OUTCOMES, partitions, replicas)
                        .configs(Map.of(TopicConfig.CLEANUP_POLICY_CONFIG, "compact,delete")),
                new NewTopic(Topics.PROGRESS, partitions, replicas)
                        .configs(Map.of(
                                TopicConfig.RETENTION_MS_CONFIG, PROGRESS_MILLIS,
                                TopicConfig.SEGMENT_MS_CONFIG, PROGRESS_MILLIS)),
                new NewTopic(Topics.DEAD_LETTERS, 1, replicas)
                        .configs(Map.of(TopicConfig.MAX_MESSAGE_BYTES_CONFIG, DEAD_LETTER_BYTES)));
    }

    /**
     * Creates those that are not there; one that is there is left as it is.
     *
     * @throws RefusedException if Kafka refuses to create one, for example with more replicas than it has brokers
     * @throws NoAnswerException if Kafka does not answer, or if Kafka and this process do not trust each other
     */
    public static void create(Admin admin, int partitions, short replicas) {
        admin.createTopics(topics(partitions, replicas)).values().forEach((name, created) -> {
            try {
                created.get();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new NoAnswerException("interrupted while the topic " + name + " was created", e);
            } catch (ExecutionException e) {
                Throwable cause = Objects.requireNonNullElse(e.getCause(), e);
                switch (cause) {
                    case TopicExistsException exists -> {}
                    case AuthenticationException notLetIn -> throw KafkaEntry.refused(notLetIn);
                    case ApiException refusal
                    when !(refusal instanceof RetriableException) ->
                        throw new RefusedException(
                                "Kafka refuses to create the topic " + name + ": " + refusal.getMessage(), e);
                    default -> throw new NoAnswerException("the topic " + name + " was not created: " + cause, e);
                }
            }
        });
    }
}
