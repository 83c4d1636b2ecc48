package org.treerename.producer;

/**
 * The key and the partition of a request's record. The log keeps the order of two requests only if they are in the
 * same partition. The same key leads to another partition after partitions were added.
 */
record Slot(String key, int partition) {}
