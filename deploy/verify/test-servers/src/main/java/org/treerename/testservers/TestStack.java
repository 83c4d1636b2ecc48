package org.treerename.testservers;

import java.util.Map;

/** Starts the servers for the tests, or finds servers that are already running. */
sealed interface TestStack permits LocalTestStack, ContainerTestStack, ExternalTestStack {
    /** Starts Elasticsearch if necessary, blocks until Elasticsearch answers, and returns its URL. */
    String startElasticsearch();

    /** Starts Kafka if necessary, blocks until Kafka answers, and returns its bootstrap servers. */
    String startKafka();

    static TestStack named(String name, Map<String, String> environment) {
        return switch (name) {
            case "local" -> LocalTestStack.inFreshFolder();
            case "containers" -> new ContainerTestStack();
            case "external" -> new ExternalTestStack(environment);
            default ->
                throw new IllegalArgumentException(
                        "Expected the system property stack to be local, containers or external, found '" + name + "'");
        };
    }
}
