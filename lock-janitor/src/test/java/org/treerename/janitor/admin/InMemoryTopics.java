package org.treerename.janitor.admin;

import java.lang.reflect.Proxy;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.CreateTopicsResult;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.errors.InvalidReplicationFactorException;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.internals.KafkaFutureImpl;

/**
 * The topics of an in-memory Kafka. {@link #admin} returns a client that can create topics and has no other function.
 */
public final class InMemoryTopics {

    private final int brokers;
    private final Map<String, NewTopic> created = new LinkedHashMap<>();
    private final Map<String, ApiException> failures = new LinkedHashMap<>();

    /** A subclass that makes the protected constructor of Kafka's class accessible. */
    private static final class Answer extends CreateTopicsResult {
        Answer(Map<String, KafkaFuture<TopicMetadataAndConfig>> futures) {
            super(futures);
        }
    }

    public InMemoryTopics(int brokers) {
        this.brokers = brokers;
    }

    /** Makes each later creation of this topic fail with this exception. */
    void fail(String topic, ApiException failure) {
        failures.put(topic, failure);
    }

    List<NewTopic> created() {
        return List.copyOf(created.values());
    }

    public NewTopic created(String topic) {
        return Objects.requireNonNull(created.get(topic), topic);
    }

    public Admin admin() {
        return (Admin) Proxy.newProxyInstance(
                Admin.class.getClassLoader(),
                new Class<?>[] {Admin.class},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "createTopics" -> create((Collection<?>) arguments[0]);
                    case "close" -> null;
                    default -> throw new UnsupportedOperationException(method.toString());
                });
    }

    private CreateTopicsResult create(Collection<?> topics) {
        Map<String, KafkaFuture<CreateTopicsResult.TopicMetadataAndConfig>> answers = new LinkedHashMap<>();
        for (Object each : topics) {
            NewTopic topic = (NewTopic) each;
            KafkaFutureImpl<CreateTopicsResult.TopicMetadataAndConfig> answer = new KafkaFutureImpl<>();
            if (failures.containsKey(topic.name())) {
                answer.completeExceptionally(failures.get(topic.name()));
            } else if (created.containsKey(topic.name())) {
                answer.completeExceptionally(new TopicExistsException(topic.name()));
            } else if (topic.replicationFactor() > brokers) {
                answer.completeExceptionally(new InvalidReplicationFactorException(
                        "expected at most " + brokers + " replicas, found " + topic.replicationFactor()));
            } else {
                created.put(topic.name(), topic);
                answer.complete(new CreateTopicsResult.TopicMetadataAndConfig(
                        new ApiException("this Kafka does not describe created topics")));
            }
            answers.put(topic.name(), answer);
        }
        return new Answer(answers);
    }
}
