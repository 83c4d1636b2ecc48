package org.treerename.kafka;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.treerename.store.NoAnswerException;
import org.treerename.store.RefusedException;

/**
 * Sends records. A process has one sender for all records except progress records. {@link #send} returns when every
 * in-sync replica has the record.
 *
 * <p>The producer can put records of several threads into one request. A request contains the records that threads
 * added while earlier requests were in flight. The producer does not wait for more records, because a wait would delay
 * each rename.
 */
public final class KafkaSender implements AutoCloseable {

    /** The size of the largest record that the dead letter topic accepts. */
    private static final int LONGEST_RECORD_BYTES = 2 * 1024 * 1024;

    private static final int DELIVERY_MILLIS = 30_000;
    private static final int REQUEST_MILLIS = 10_000;
    private static final Duration CLOSING = Duration.ofSeconds(5);

    private final Producer<byte[], byte[]> producer;
    private final Runnable observer;

    KafkaSender(Producer<byte[], byte[]> producer, Runnable observer) {
        this.producer = producer;
        this.observer = observer;
    }

    public static KafkaSender connect(KafkaClientSettings settings) {
        return connect(settings, () -> {});
    }

    /**
     * Creates a sender. Does not wait for a connection to Kafka.
     *
     * @param observer a callback that runs before each send
     */
    public static KafkaSender connect(KafkaClientSettings settings, Runnable observer) {
        Map<String, Object> decided = Map.of(
                ProducerConfig.ACKS_CONFIG,
                "all",
                ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG,
                true,
                ProducerConfig.LINGER_MS_CONFIG,
                0,
                ProducerConfig.MAX_REQUEST_SIZE_CONFIG,
                LONGEST_RECORD_BYTES,
                ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG,
                REQUEST_MILLIS,
                ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG,
                DELIVERY_MILLIS);
        return new KafkaSender(
                settings.client(
                        decided, all -> new KafkaProducer<>(all, new ByteArraySerializer(), new ByteArraySerializer())),
                observer);
    }

    /**
     * Sends a record, and returns when Kafka has stored it.
     *
     * @throws NoAnswerException if it is unknown whether Kafka has stored the record
     * @throws RefusedException if the record is too large
     */
    public void send(ProducerRecord<byte[], byte[]> message) {
        observer.run();
        try {
            producer.send(message).get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new NoAnswerException("interrupted while sending to " + message.topic(), e);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof AuthenticationException authenticationFailed) {
                throw KafkaEntry.refused(authenticationFailed);
            }
            if (e.getCause() instanceof RecordTooLargeException) {
                throw new RefusedException(
                        "cannot send a record to the topic " + message.topic() + ": " + e.getCause());
            }
            throw new NoAnswerException(
                    "cannot send a record to the topic " + message.topic() + ": " + e.getCause(), e);
        } catch (AuthenticationException e) {
            throw KafkaEntry.refused(e);
        } catch (KafkaException e) {
            throw new NoAnswerException("cannot send a record to the topic " + message.topic() + ": " + e, e);
        }
    }

    @Override
    public void close() {
        producer.close(CLOSING);
    }
}
