package org.treerename.producer;

import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.treerename.runtime.Time;
import org.treerename.runtime.UuidV7;

/**
 * Connects a {@link RenameProducer} to Kafka. The producer finds its start position in the topic of outcomes before it
 * sends the first request. Otherwise, the producer could miss the outcome of this request.
 */
final class Connection {

    private static final OpenRequests.Limits OPEN_REQUESTS =
            new OpenRequests.Limits(RenameProducer.MAX_WAITING, 1_000_000);

    private final ProducerSettings settings;
    private final Time time;
    private final UuidV7 ids;
    private final KafkaClients clients;

    Connection(ProducerSettings settings, Time time) {
        this.settings = settings;
        this.time = time;
        this.ids = new UuidV7(time, new SecureRandom());
        this.clients = new KafkaClients(settings, settings.installation().named("rename-producer-" + ids.next()));
    }

    RenameProducer open() {
        return connect(clients::consumer, this::open);
    }

    private OutcomeSubscription subscribe(OutcomeStart start, OutcomeListener listener) {
        KafkaClients own =
                new KafkaClients(settings, settings.installation().named("rename-outcome-listener-" + ids.next()));
        return connect(
                () -> start instanceof OutcomeStart.Group group ? own.consumer(group.id()) : own.consumer(),
                consumer -> {
                    List<TopicPartition> outcomes =
                            requireTopic(consumer, settings.installation().outcomes());
                    OutcomeAssignment assignment = new OutcomeAssignment(start, settings, time);
                    assignment.begin(consumer, outcomes, settings.apiTimeout());
                    OutcomeFeed feed = new OutcomeFeed(consumer, assignment, listener, time);
                    feed.start();
                    return feed;
                });
    }

    private <T> T connect(Supplier<Consumer<String, String>> consumers, Function<Consumer<String, String>, T> opener) {
        try {
            Consumer<String, String> consumer = consumers.get();
            try {
                return opener.apply(consumer);
            } catch (RuntimeException e) {
                consumer.close(CloseOptions.timeout(Duration.ZERO));
                throw e;
            }
        } catch (KafkaException e) {
            throw new CannotConnectException(
                    "cannot connect to Kafka at " + settings.bootstrapServers() + ": "
                            + innermost(e).getMessage(),
                    e);
        }
    }

    private RenameProducer open(Consumer<String, String> consumer) {
        requireTopic(consumer, settings.installation().requests());
        List<TopicPartition> outcomes =
                requireTopic(consumer, settings.installation().outcomes());
        Producer<String, byte[]> producer = clients.producer();
        try {
            Waiting waiting = new Waiting(RenameProducer.MAX_WAITING);
            Dispatch dispatch = new Dispatch(
                    producer,
                    settings.installation().requests(),
                    settings::ordering,
                    new OpenRequests(OPEN_REQUESTS, time),
                    time);
            OutcomeReader reader = new OutcomeReader(consumer, waiting, dispatch::ended, settings, time);
            reader.seekToEnd(outcomes, settings.apiTimeout());
            // fetch the metadata now; otherwise the first send would wait for the metadata
            var unused = producer.partitionsFor(settings.installation().requests());
            reader.start();
            ProgressReader progress = new ProgressReader(
                    new KafkaClients(settings, settings.installation().named("rename-progress-" + ids.next()))
                            ::consumer,
                    settings,
                    time);
            Subscriptions subscriptions = new Subscriptions(this::subscribe);
            return new RenameProducer(
                    dispatch, new RenameProducer.Readers(reader, progress, subscriptions), waiting, ids, time);
        } catch (KafkaException e) {
            producer.close(Duration.ZERO);
            throw e;
        }
    }

    /**
     * Returns the partitions of a topic. Reads the metadata with a consumer, because Kafka may create a missing topic
     * when a Kafka producer reads its metadata.
     *
     * @throws CannotConnectException if the topic does not exist
     */
    List<TopicPartition> requireTopic(Consumer<String, String> consumer, String topic) {
        List<TopicPartition> partitions =
                OutcomeAssignment.partitions(consumer.partitionsFor(topic, settings.apiTimeout()));
        if (partitions.isEmpty()) {
            throw new CannotConnectException("Kafka at " + settings.bootstrapServers() + " has no topic " + topic
                    + "; create the topic first, or correct the prefix");
        }
        return partitions;
    }

    private static Throwable innermost(Throwable failure) {
        Throwable cause = failure.getCause();
        return cause == null ? failure : innermost(cause);
    }
}
