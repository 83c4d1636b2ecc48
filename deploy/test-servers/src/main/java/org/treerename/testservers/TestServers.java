package org.treerename.testservers;

/**
 * One Elasticsearch and one Kafka for all tests of this JVM, each of them started when it is first asked for. Tests share
 * them: each test uses names of its own for indices, topics and groups.
 *
 * <p>The system property {@code stack} says where they come from: {@code local} (child processes, the default),
 * {@code containers} (Testcontainers, fails without Docker) or {@code external} (the environment variables
 * {@code ELASTICSEARCH_URL} and {@code KAFKA_BOOTSTRAP_SERVERS}). They end with this JVM.
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

    /** Such as {@code http://127.0.0.1:9200}. Blocks until it answers. */
    public static String elasticsearchUrl() {
        return ELASTICSEARCH.get();
    }

    /**
     * The URL of another Elasticsearch, for tests that show, snapshot or restore the whole control index. It is always a child
     * process, and a snapshot repository may be at any relative location. Blocks until it answers.
     */
    public static String secondElasticsearchUrl() {
        return SECOND.get();
    }

    /** Such as {@code 127.0.0.1:9092}. Blocks until it answers. */
    public static String kafkaBootstrapServers() {
        return KAFKA.get();
    }
}
