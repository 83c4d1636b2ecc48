package org.treerename.benchmark;

/** What a process does in a measurement. */
enum Role {
    ELASTICSEARCH("Elasticsearch"),
    WORKERS("workers"),
    KAFKA("Kafka"),
    CLIENT("measuring client");

    private final String words;

    Role(String words) {
        this.words = words;
    }

    /** As tables show it. */
    String words() {
        return words;
    }
}
