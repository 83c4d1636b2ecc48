package org.treerename.testservers;

/**
 * One Elasticsearch and one Kafka for all tests of this JVM. Each server starts when a test first requests it. Tests
 * share the servers, so each test uses its own names for indices, topics and groups.
 *
 * <p>The system property {@code stack} selects the servers:
 * <ul>
 *   <li>{@code local}: child processes. This is the default.
 *   <li>{@code containers}: Testcontainers, which needs Docker.
 *   <li>{@code external}: running servers. The environment variables {@code ELASTICSEARCH_URL} and {@code
 *       KAFKA_BOOTSTRAP_SERVERS} contain the addresses of these servers.
 * </ul>
 *
 * <p>With {@code local}, the system property {@code elasticsearch.version} selects another version of Elasticsearch.
 *
 * <p>When this JVM ends, the servers end as well, except external servers.
 */
public final class TestServers {
    private static final Once<TestStack> STACK =
            new Once<>(() -> TestStack.named(System.getProperty("stack", "local"), System.getenv()));
    private static final Once<String> ELASTICSEARCH =
            new Once<>(() -> STACK.get().startElasticsearch());
    private static final Once<String> SECOND =
            new Once<>(() -> LocalTestStack.inFreshFolder().startElasticsearch());
    private static final Once<String> KAFKA = new Once<>(() -> STACK.get().startKafka());

    private TestServers() {}

    /**
     * Returns the URL of the shared Elasticsearch, such as {@code http://127.0.0.1:9200}. Blocks until Elasticsearch
     * answers.
     */
    public static String elasticsearchUrl() {
        return ELASTICSEARCH.get();
    }

    /**
     * Returns the URL of a second Elasticsearch, for tests that examine the whole control index, or restore it from a
     * snapshot. This server is always a child process. A snapshot repository of this server may have any relative
     * location. Blocks until the server answers.
     */
    public static String secondElasticsearchUrl() {
        return SECOND.get();
    }

    /** Returns the address of the shared Kafka, such as {@code 127.0.0.1:9092}. Blocks until Kafka answers. */
    public static String kafkaBootstrapServers() {
        return KAFKA.get();
    }
}
