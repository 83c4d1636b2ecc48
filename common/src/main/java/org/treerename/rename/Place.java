package org.treerename.rename;

/** Where a record stands in the log. */
public record Place(String topic, int partition, long offset) {
    @Override
    public String toString() {
        return topic + "-" + partition + "@" + offset;
    }
}
