package org.treerename.janitor.doctor;

import java.util.Map;
import java.util.Optional;

/**
 * The settings of a broker or of a topic.
 *
 * @param values the settings; empty if they cannot be read
 * @param refusal the reason why Kafka does not return the settings; empty if Kafka returns the settings
 */
record KafkaConfig(Map<String, String> values, Optional<String> refusal) {

    KafkaConfig {
        values = Map.copyOf(values);
    }

    static KafkaConfig of(Map<String, String> values) {
        return new KafkaConfig(values, Optional.empty());
    }

    static KafkaConfig unreadable(String refusal) {
        return new KafkaConfig(Map.of(), Optional.of(refusal));
    }
}
