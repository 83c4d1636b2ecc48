package org.treerename.testservers;

import java.util.Map;

/** The source of the servers for the tests. */
sealed interface TestStack permits LocalTestStack, ContainerTestStack, ExternalTestStack {
    /** Starts Elasticsearch if necessary and returns its URL when it answers. */
    String startElasticsearch();

    /** Starts Kafka if necessary and returns its bootstrap servers when it answers. */
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
