package org.treerename.request;

import java.util.Comparator;

/** The position of a record in the log. */
public record RecordPosition(String topic, int partition, long offset) {

    /** The position of an entry that has no record in the log. */
    public static final RecordPosition NOWHERE = new RecordPosition("", 0, 0);

    public static final Comparator<RecordPosition> BY_OFFSET = Comparator.comparingLong(RecordPosition::offset);

    /** Returns the name of the partition. */
    public String topicPartition() {
        return topic + "-" + partition;
    }

    /**
     * Returns whether this position is at or before a watermark.
     *
     * @param watermark the watermark of the same partition
     */
    public boolean isCoveredBy(RecordPosition watermark) {
        return offset <= watermark.offset();
    }

    @Override
    public String toString() {
        return topicPartition() + "@" + offset;
    }
}
