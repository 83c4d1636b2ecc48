package org.treerename.rename;

import java.util.Comparator;

/** Where a record stands in the log. */
public record RecordPosition(String topic, int partition, long offset) {

    /** Of what no record of the log has asked for. */
    static final RecordPosition NOWHERE = new RecordPosition("", 0, 0);

    static final Comparator<RecordPosition> BY_OFFSET = Comparator.comparingLong(RecordPosition::offset);

    /** The name of its partition. */
    public String topicPartition() {
        return topic + "-" + partition;
    }

    /**
     * Whether it stands at or before a watermark.
     *
     * @param watermark of the same partition
     */
    public boolean isCoveredBy(RecordPosition watermark) {
        return offset <= watermark.offset();
    }

    @Override
    public String toString() {
        return topicPartition() + "@" + offset;
    }
}
