package org.treerename.producer;

import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.treerename.runtime.Time;
import org.treerename.runtime.UuidV7;
import org.treerename.wire.Topics;

/**
 * How a producer comes to be. The order matters: the outcomes are read from a known position before the first request can
 * leave.
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
        this.clients = new KafkaClients(settings, "rename-producer-" + ids.next());
    }

    RenameProducer open() {
        Deadline deadline = new Deadline(time, settings.apiTimeout());
        try {
            Consumer<String, String> consumer = clients.consumer();
            try {
                return open(consumer, deadline);
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

    private RenameProducer open(Consumer<String, String> consumer, Deadline deadline) {
        requireTopic(consumer, Topics.REQUESTS, deadline);
        List<TopicPartition> outcomes = requireTopic(consumer, Topics.OUTCOMES, deadline);
        Producer<String, byte[]> producer = clients.producer();
        try {
            Waiting waiting = new Waiting(RenameProducer.MAX_WAITING);
            Dispatch dispatch = new Dispatch(producer, settings::ordering, new OpenRequests(OPEN_REQUESTS, time), time);
            OutcomeReader reader =
                    new OutcomeReader(consumer, waiting, dispatch::ended, settings.partitionCheck(), time);
            reader.seekToEnd(outcomes, deadline.left());
            // fetches what the first send would otherwise wait for
            var unused = producer.partitionsFor(Topics.REQUESTS);
            reader.start();
            ProgressReader progress = new ProgressReader(
                    new KafkaClients(settings, "rename-progress-" + ids.next())::consumer,
                    settings.partitionCheck(),
                    time);
            return new RenameProducer(dispatch, new RenameProducer.Readers(reader, progress), waiting, ids, time);
        } catch (KafkaException e) {
            producer.close(Duration.ZERO);
            throw e;
        }
    }

    /** Asked for through the consumer, because Kafka may make a topic that a producer asks for. */
    List<TopicPartition> requireTopic(Consumer<String, String> consumer, String topic, Deadline deadline) {
        List<TopicPartition> partitions = OutcomeReader.partitions(consumer.partitionsFor(topic, deadline.left()));
        if (partitions.isEmpty()) {
            throw new CannotConnectException(
                    "Kafka at " + settings.bootstrapServers() + " has no topic " + topic + "; it must be made first");
        }
        return partitions;
    }

    private static Throwable innermost(Throwable failure) {
        Throwable cause = failure.getCause();
        return cause == null ? failure : innermost(cause);
    }
}
