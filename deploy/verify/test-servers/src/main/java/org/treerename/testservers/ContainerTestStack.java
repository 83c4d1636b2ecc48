package org.treerename.testservers;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Objects;
import java.util.Properties;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.elasticsearch.ElasticsearchContainer;
import org.testcontainers.kafka.KafkaContainer;
import org.testcontainers.utility.DockerImageName;

/**
 * Servers in containers. The default images are the official images. The system properties {@code elasticsearch.image}
 * and {@code kafka.image} select other images. These images must accept the environment variables of the official
 * images. The containers are removed after the end of this JVM.
 */
final class ContainerTestStack implements TestStack {
    /** The start-up timeout. The default of Testcontainers, one minute, is too short for a busy machine. */
    private static final Duration STARTUP = Duration.ofMinutes(4);

    private static final String TWO_MIB = Integer.toString(2 * 1024 * 1024);

    private final Properties images = new Properties();

    ContainerTestStack() {
        try (InputStream in = ContainerTestStack.class.getResourceAsStream("images.properties")) {
            images.load(Objects.requireNonNull(in, "images.properties"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    @SuppressWarnings("resource") // the container ends with this JVM
    public String startElasticsearch() {
        requireDocker();
        var container = new ElasticsearchContainer(image("elasticsearch")
                        .asCompatibleSubstituteFor("docker.elastic.co/elasticsearch/elasticsearch"))
                .withEnv("xpack.security.enabled", "false")
                .withEnv("ES_JAVA_OPTS", "-Xms768m -Xmx768m");
        container.withStartupTimeout(STARTUP).start();
        return "http://" + container.getHttpHostAddress();
    }

    @Override
    @SuppressWarnings("resource") // the container ends with this JVM
    public String startKafka() {
        requireDocker();
        var container = new KafkaContainer(image("kafka").asCompatibleSubstituteFor("apache/kafka"))
                .withEnv("KAFKA_HEAP_OPTS", "-Xms384m -Xmx384m")
                .withEnv("KAFKA_AUTO_CREATE_TOPICS_ENABLE", "false")
                .withEnv("KAFKA_OFFSETS_TOPIC_NUM_PARTITIONS", "4")
                .withEnv("KAFKA_GROUP_COORDINATOR_REBALANCE_PROTOCOLS", "classic,consumer")
                .withEnv("KAFKA_GROUP_CONSUMER_SESSION_TIMEOUT_MS", "6000")
                .withEnv("KAFKA_GROUP_CONSUMER_MIN_SESSION_TIMEOUT_MS", "1000")
                .withEnv("KAFKA_GROUP_CONSUMER_HEARTBEAT_INTERVAL_MS", "1000")
                .withEnv("KAFKA_GROUP_CONSUMER_MIN_HEARTBEAT_INTERVAL_MS", "500")
                .withEnv("KAFKA_LOG_RETENTION_CHECK_INTERVAL_MS", "3600000")
                .withEnv("KAFKA_MESSAGE_MAX_BYTES", TWO_MIB)
                .withEnv("KAFKA_REPLICA_FETCH_MAX_BYTES", TWO_MIB);
        container.withStartupTimeout(STARTUP).start();
        return container.getBootstrapServers();
    }

    /** Returns the image in the system property of a server, or the official image if the property is not set. */
    DockerImageName image(String server) {
        String requested = System.getProperty(server + ".image", "");
        return DockerImageName.parse(
                requested.isBlank() ? Objects.requireNonNull(images.getProperty(server), server) : requested);
    }

    private static void requireDocker() {
        if (!DockerClientFactory.instance().isDockerAvailable()) {
            throw new IllegalStateException("With stack=containers, the tests need a Docker engine, but no engine"
                    + " answers; start a Docker engine, or run the tests with -Dstack=local");
        }
    }
}
