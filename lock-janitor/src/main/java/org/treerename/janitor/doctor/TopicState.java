package org.treerename.janitor.doctor;

import java.util.Map;

/**
 * The partitions, the replicas and the settings of a topic, as Kafka returns them.
 *
 * @param replicas the smallest number of replicas that a partition has
 * @param inSync the smallest number of in-sync replicas that a partition has; 0 if a partition has no leader
 */
record TopicState(String name, int partitions, int replicas, int inSync, KafkaConfig config) {

    /** Returns the settings of the topic; empty if Kafka does not return them. */
    Map<String, String> settings() {
        return config.values();
    }

    /** Returns the value of a numeric setting; {@code otherwise} if the value is not known. */
    long number(String setting, long otherwise) {
        String value = settings().get(setting);
        return value == null ? otherwise : Long.parseLong(value);
    }
}
