package org.treerename.producer;

/**
 * The key and the partition of a request's record. The log keeps the order of two requests only if they are in the same
 * partition. After partitions were added, the same key may belong to another partition.
 */
record Slot(String key, int partition) {}
