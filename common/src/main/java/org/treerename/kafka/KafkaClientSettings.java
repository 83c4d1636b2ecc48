package org.treerename.kafka;

import java.io.IOException;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.KafkaException;
import org.treerename.installation.Installation;

/**
 * The settings that all Kafka clients of a process share. {@link #toString} omits the values of the properties, because
 * some values are secrets.
 *
 * @param bootstrapServers the addresses of Kafka brokers, each as {@code host:port}, separated by commas
 * @param properties additional properties of Kafka's clients, for example {@code security.protocol}. A property that
 *     this project sets itself is not allowed
 * @param installation the installation whose topics and consumer group the clients use
 */
public record KafkaClientSettings(String bootstrapServers, Map<String, String> properties, Installation installation) {

    /** Only this project sets these: some make each request arrive once and in order, options set others. */
    private static final Set<String> DECIDED = Set.of(
            CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG,
            CommonClientConfigs.CLIENT_ID_CONFIG,
            CommonClientConfigs.REQUEST_TIMEOUT_MS_CONFIG,
            CommonClientConfigs.METADATA_MAX_AGE_CONFIG,
            CommonClientConfigs.DEFAULT_API_TIMEOUT_MS_CONFIG,
            ProducerConfig.ACKS_CONFIG,
            ProducerConfig.RETRIES_CONFIG,
            ProducerConfig.MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION,
            ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG,
            ProducerConfig.TRANSACTIONAL_ID_CONFIG,
            ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG,
            ProducerConfig.MAX_BLOCK_MS_CONFIG,
            ProducerConfig.LINGER_MS_CONFIG,
            ProducerConfig.MAX_REQUEST_SIZE_CONFIG,
            ProducerConfig.PARTITIONER_CLASS_CONFIG,
            ProducerConfig.PARTITIONER_IGNORE_KEYS_CONFIG,
            ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG,
            ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG,
            ConsumerConfig.GROUP_ID_CONFIG,
            ConsumerConfig.GROUP_INSTANCE_ID_CONFIG,
            ConsumerConfig.GROUP_PROTOCOL_CONFIG,
            ConsumerConfig.PARTITION_ASSIGNMENT_STRATEGY_CONFIG,
            ConsumerConfig.GROUP_REMOTE_ASSIGNOR_CONFIG,
            ConsumerConfig.ISOLATION_LEVEL_CONFIG,
            ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG,
            ConsumerConfig.AUTO_OFFSET_RESET_CONFIG,
            ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG,
            ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG,
            ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG);

    public KafkaClientSettings {
        requireUndecided(properties);
        properties = Map.copyOf(properties);
    }

    /** Returns settings without additional properties, for the installation without a prefix. */
    public static KafkaClientSettings of(String bootstrapServers) {
        return new KafkaClientSettings(bootstrapServers, Map.of(), Installation.DEFAULT);
    }

    /** Returns a copy with the given properties instead of the current properties. */
    public KafkaClientSettings with(Map<String, String> others) {
        return new KafkaClientSettings(bootstrapServers, others, installation);
    }

    /** Returns a copy with another installation. */
    public KafkaClientSettings in(Installation other) {
        return new KafkaClientSettings(bootstrapServers, properties, other);
    }

    /**
     * Checks that a map contains no property that this project sets itself, even with the same value.
     *
     * @throws IllegalArgumentException if the map contains properties that this project sets; the message lists these
     *     properties
     */
    public static void requireUndecided(Map<String, String> properties) {
        Set<String> decided = new TreeSet<>(properties.keySet());
        decided.retainAll(DECIDED);
        if (!decided.isEmpty()) {
            throw new IllegalArgumentException("these properties of the Kafka clients must not be set, because this"
                    + " program sets them: " + decided);
        }
    }

    /**
     * Reads properties of Kafka's clients from a file.
     *
     * @throws IllegalArgumentException if the file cannot be read
     */
    public static Map<String, String> read(Path file) {
        Properties properties = new Properties();
        try (Reader reader = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
            properties.load(reader);
        } catch (IOException | IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "cannot read the properties of the Kafka clients in " + file + ": " + e, e);
        }
        Map<String, String> read = new TreeMap<>();
        properties.stringPropertyNames().forEach(name -> read.put(name, properties.getProperty(name)));
        return read;
    }

    /**
     * Creates a Kafka client.
     *
     * @param decided properties that override the properties of these settings
     * @param maker the constructor of the client
     * @throws IllegalArgumentException if Kafka's library rejects these settings
     */
    public <T> T client(Map<String, ?> decided, Function<Map<String, Object>, T> maker) {
        Map<String, Object> all = new HashMap<>(properties);
        all.put(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers);
        all.putAll(decided);
        try {
            return maker.apply(all);
        } catch (KafkaException e) {
            throw new IllegalArgumentException(
                    "cannot create a Kafka client with these settings: "
                            + innermost(e).getMessage(),
                    e);
        }
    }

    private static Throwable innermost(Throwable failure) {
        Throwable cause = failure.getCause();
        return cause == null ? failure : innermost(cause);
    }

    @Override
    public String toString() {
        return bootstrapServers + (properties.isEmpty() ? "" : " with " + new TreeSet<>(properties.keySet()));
    }
}
