package org.treerename.testservers;

import java.util.Map;

/** Servers that run outside of the tests. Environment variables contain the addresses of these servers. */
record ExternalTestStack(Map<String, String> environment) implements TestStack {
    @Override
    public String startElasticsearch() {
        return named("ELASTICSEARCH_URL", "http://elasticsearch:9200");
    }

    @Override
    public String startKafka() {
        return named("KAFKA_BOOTSTRAP_SERVERS", "kafka:9092");
    }

    private String named(String variable, String example) {
        String value = environment.getOrDefault(variable, "");
        if (value.isBlank()) {
            throw new IllegalStateException("With stack=external, the tests need the environment variable " + variable
                    + ", found none; set " + variable + ", for example to " + example);
        }
        return value;
    }
}
