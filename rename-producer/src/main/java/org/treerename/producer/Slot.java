package org.treerename.producer;

/**
 * Where the record of a request goes. The log keeps the order of two requests only in one partition: the same key leads to
 * another partition when partitions were added in between.
 */
record Slot(String key, int partition) {}
