package org.treerename.janitor.admin;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.TopicExistsException;
import org.treerename.installation.Installation;
import org.treerename.kafka.KafkaEntry;
import org.treerename.store.NoAnswerException;
import org.treerename.store.RefusedException;

/**
 * Creates the topics with the settings that this project expects. In production, an operator creates the topics, for
 * example with {@code rename-admin topics}.
 */
public final class TopicCreation {

    /** Permits the largest record that a broker accepts by default, with the headers of a dead letter. */
    private static final String DEAD_LETTER_BYTES = String.valueOf(2 * 1024 * 1024);

    /** Ten minutes, because a program that begins to read needs only the next progress record. */
    private static final String PROGRESS_MILLIS = String.valueOf(10 * 60 * 1_000);

    private TopicCreation() {}

    /**
     * Returns all topics of an installation.
     *
     * @param partitions the number of partitions of each topic, except the dead letter topic, which has one partition
     */
    public static List<NewTopic> topics(Installation installation, int partitions, short replicas) {
        return List.of(
                new NewTopic(installation.requests(), partitions, replicas)
                        .configs(Map.of(TopicConfig.MESSAGE_TIMESTAMP_TYPE_CONFIG, "LogAppendTime")),
                new NewTopic(installation.outcomes(), partitions, replicas)
                        .configs(Map.of(TopicConfig.CLEANUP_POLICY_CONFIG, "compact,delete")),
                new NewTopic(installation.progress(), partitions, replicas)
                        .configs(Map.of(
                                TopicConfig.RETENTION_MS_CONFIG, PROGRESS_MILLIS,
                                TopicConfig.SEGMENT_MS_CONFIG, PROGRESS_MILLIS)),
                new NewTopic(installation.deadLetters(), 1, replicas)
                        .configs(Map.of(TopicConfig.MAX_MESSAGE_BYTES_CONFIG, DEAD_LETTER_BYTES)));
    }

    /**
     * Creates the missing topics of an installation. Does not change an existing topic.
     *
     * @return the names of the topics that did not exist
     * @throws RefusedException if Kafka refuses to create a topic, for example because the topic needs more replicas
     *     than there are brokers
     * @throws NoAnswerException if Kafka does not answer, or if the authentication between Kafka and this process fails
     */
    public static Set<String> create(Admin admin, Installation installation, int partitions, short replicas) {
        Set<String> isNew = new TreeSet<>();
        admin.createTopics(topics(installation, partitions, replicas)).values().forEach((name, created) -> {
            try {
                created.get();
                isNew.add(name);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new NoAnswerException("interrupted while the topic " + name + " was created", e);
            } catch (ExecutionException e) {
                Throwable cause = Objects.requireNonNullElse(e.getCause(), e);
                switch (cause) {
                    case TopicExistsException exists -> {}
                    case AuthenticationException authenticationFailed -> throw KafkaEntry.refused(authenticationFailed);
                    case ApiException refusal
                    when !(refusal instanceof RetriableException) ->
                        throw new RefusedException(
                                "Kafka refuses to create the topic " + name + ": " + refusal.getMessage(), e);
                    default ->
                        throw new NoAnswerException(
                                "Kafka did not confirm the creation of the topic " + name + ", which may exist now: "
                                        + cause,
                                e);
                }
            }
        });
        return isNew;
    }
}
