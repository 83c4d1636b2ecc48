package org.treerename.wire;

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

/**
 * How Kafka is reached, the same for every client of a process. The text tells no value, because some are secrets.
 *
 * @param bootstrapServers Kafka's addresses, {@code host:port}, separated by commas
 * @param properties further ones of Kafka's clients, {@code security.protocol} say; none of which this project decides
 */
public record KafkaClientSettings(String bootstrapServers, Map<String, String> properties) {

    /** What makes a request come once and in its order, and what is set elsewhere. */
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

    /** Without further properties. */
    public static KafkaClientSettings of(String bootstrapServers) {
        return new KafkaClientSettings(bootstrapServers, Map.of());
    }

    /** The same with these properties alone. */
    public KafkaClientSettings with(Map<String, String> others) {
        return new KafkaClientSettings(bootstrapServers, others);
    }

    /**
     * Refuses what is not the user's to set, even to the same value.
     *
     * @throws IllegalArgumentException if there is any, with its names
     */
    public static void requireUndecided(Map<String, String> properties) {
        Set<String> decided = new TreeSet<>(properties.keySet());
        decided.retainAll(DECIDED);
        if (!decided.isEmpty()) {
            throw new IllegalArgumentException("these properties of Kafka's clients cannot be set: " + decided);
        }
    }

    /**
     * Those of a properties file.
     *
     * @throws IllegalArgumentException if it cannot be read
     */
    public static Map<String, String> read(Path file) {
        Properties properties = new Properties();
        try (Reader reader = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
            properties.load(reader);
        } catch (IOException | IllegalArgumentException e) {
            throw new IllegalArgumentException("cannot read the properties of Kafka's clients: " + e, e);
        }
        Map<String, String> read = new TreeMap<>();
        properties.stringPropertyNames().forEach(name -> read.put(name, properties.getProperty(name)));
        return read;
    }

    /**
     * A client of Kafka.
     *
     * @param decided what its maker says of it, which these settings do not touch
     * @throws IllegalArgumentException if there can be none with these settings
     */
    public <T> T client(Map<String, ?> decided, Function<Map<String, Object>, T> maker) {
        Map<String, Object> all = new HashMap<>(properties);
        all.put(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers);
        all.putAll(decided);
        try {
            return maker.apply(all);
        } catch (KafkaException e) {
            throw new IllegalArgumentException(
                    "no client of Kafka can be made as its settings say: "
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
