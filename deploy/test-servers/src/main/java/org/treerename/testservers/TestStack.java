package org.treerename.testservers;

import java.util.Map;

/** Where the servers of the tests come from. */
sealed interface TestStack permits LocalTestStack, ContainerTestStack, ExternalTestStack {
    /** Its URL, once it answers. */
    String startElasticsearch();

    /** Its bootstrap servers, once it answers. */
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
