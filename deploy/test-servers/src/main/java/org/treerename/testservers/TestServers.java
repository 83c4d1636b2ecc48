package org.treerename.testservers;

/**
 * One Elasticsearch and one Kafka for all tests of this JVM. Each server starts when a test first requests it. Tests share the
 * servers, so each test uses its own names for indices, topics and groups.
 *
 * <p>The system property {@code stack} selects the servers: {@code local} (child processes, the default),
 * {@code containers} (Testcontainers, fails without Docker) or {@code external} (the environment variables
 * {@code ELASTICSEARCH_URL} and {@code KAFKA_BOOTSTRAP_SERVERS}). The servers end with this JVM, except external ones.
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

    /** Returns the URL, such as {@code http://127.0.0.1:9200}. Blocks until Elasticsearch answers. */
    public static String elasticsearchUrl() {
        return ELASTICSEARCH.get();
    }

    /**
     * Returns the URL of another Elasticsearch, for tests that show, snapshot or restore the whole control index. This server is
     * always a child process, and a snapshot repository may have any relative location. Blocks until the server answers.
     */
    public static String secondElasticsearchUrl() {
        return SECOND.get();
    }

    /** Returns the address, such as {@code 127.0.0.1:9092}. Blocks until Kafka answers. */
    public static String kafkaBootstrapServers() {
        return KAFKA.get();
    }
}
