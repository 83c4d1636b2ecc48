package org.treerename.benchmark;

/** The groups of processes whose processor time a measurement reports separately. */
enum Role {
    ELASTICSEARCH("Elasticsearch"),
    WORKERS("workers"),
    KAFKA("Kafka"),
    CLIENT("measuring client");

    private final String words;

    Role(String words) {
        this.words = words;
    }

    /** Returns the name of this role in tables. */
    String words() {
        return words;
    }
}
