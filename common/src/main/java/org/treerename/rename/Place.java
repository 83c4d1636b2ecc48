package org.treerename.rename;

import java.util.Comparator;

/** Where a record stands in the log. */
public record Place(String topic, int partition, long offset) {

    /** Of what no record of the log has asked for. */
    static final Place NOWHERE = new Place("", 0, 0);

    static final Comparator<Place> BY_OFFSET = Comparator.comparingLong(Place::offset);

    /** The name of its partition. */
    public String topicPartition() {
        return topic + "-" + partition;
    }

    /**
     * Whether it stands at or before a watermark.
     *
     * @param watermark of the same partition
     */
    public boolean isCoveredBy(Place watermark) {
        return offset <= watermark.offset();
    }

    @Override
    public String toString() {
        return topicPartition() + "@" + offset;
    }
}
