package org.treerename.producer;

import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;

/** Creates the Kafka clients of this library, and chooses their settings. */
final class KafkaClients {

    /**
     * The maximum size of a request to Kafka, in bytes. The longest rename request that a worker accepts is smaller
     * than a tenth of this size.
     */
    static final int MAX_REQUEST_SIZE = 1 << 20;

    /** The largest number of records that one poll returns, unless the client properties contain another number. */
    static final int MAX_BATCH = 100;

    private final ProducerSettings settings;
    private final String clientId;

    KafkaClients(ProducerSettings settings, String clientId) {
        this.settings = settings;
        this.clientId = clientId;
    }

    Producer<String, byte[]> producer() {
        Map<String, Object> config = shared();
        config.put(ProducerConfig.ACKS_CONFIG, "all");
        config.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
        // Kafka requires: delivery timeout >= linger + request timeout
        config.put(ProducerConfig.LINGER_MS_CONFIG, 0);
        config.put(
                ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG,
                Math.toIntExact(settings.deliveryTimeout().toMillis()));
        config.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, settings.apiTimeout().toMillis());
        config.put(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, MAX_REQUEST_SIZE);
        return new KafkaProducer<>(config, new StringSerializer(), new ByteArraySerializer());
    }

    /** Returns a consumer without a group. */
    Consumer<String, String> consumer() {
        return consumer(Map.of());
    }

    /**
     * Returns a consumer of a group. The caller commits the offsets. Each poll returns at most {@link #MAX_BATCH}
     * records by default, so few records arrive again after a crash.
     */
    Consumer<String, String> consumer(String group) {
        return consumer(Map.of(ConsumerConfig.GROUP_ID_CONFIG, group));
    }

    private Consumer<String, String> consumer(Map<String, String> more) {
        Map<String, Object> config = shared();
        config.putIfAbsent(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, MAX_BATCH);
        config.putAll(more);
        // a topic that Kafka creates automatically would not have the required settings
        config.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
        // if Kafka has deleted the record at the position of the consumer, continue with the oldest record
        config.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
        config.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
        config.put(
                ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG,
                Math.toIntExact(settings.apiTimeout().toMillis()));
        return new KafkaConsumer<>(config, new StringDeserializer(), new StringDeserializer());
    }

    private Map<String, Object> shared() {
        Map<String, Object> config = new HashMap<>(settings.clientProperties());
        config.put(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, settings.bootstrapServers());
        config.put(ProducerConfig.CLIENT_ID_CONFIG, clientId);
        config.put(
                ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG,
                Math.toIntExact(settings.apiTimeout().toMillis()));
        // the maximum age of the metadata that partitionsFor returns
        config.put(
                ProducerConfig.METADATA_MAX_AGE_CONFIG,
                settings.partitionCheck().toMillis());
        return config;
    }
}
