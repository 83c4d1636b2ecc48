package org.treerename.janitor.doctor;

import java.util.Map;

/**
 * The partitions, the replicas and the settings of a topic, as Kafka returns them.
 *
 * @param replicas the number of replicas of the partition that has the fewest replicas
 * @param inSync the number of in-sync replicas of the partition that has the fewest; 0 if a partition has no leader
 */
record TopicState(String name, int partitions, int replicas, int inSync, KafkaConfig config) {

    /** Returns the settings of the topic; empty if this process lacks the right to read them. */
    Map<String, String> settings() {
        return config.values();
    }

    /** Returns the value of a numeric setting; {@code otherwise} if the value is not known. */
    long number(String setting, long otherwise) {
        String value = settings().get(setting);
        return value == null ? otherwise : Long.parseLong(value);
    }
}
