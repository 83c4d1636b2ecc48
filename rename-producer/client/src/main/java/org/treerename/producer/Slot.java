package org.treerename.producer;

/**
 * The key and the partition of a request's record. Kafka keeps the order of two records only if they are in the same
 * partition. After partitions were added, the same key may belong to another partition.
 */
record Slot(String key, int partition) {}
