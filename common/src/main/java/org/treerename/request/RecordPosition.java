package org.treerename.request;

import java.time.Instant;

/**
 * The position of a record in the log. A direct rename has no record in the log. The position of a direct rename names
 * {@value #DIRECT} instead of a topic. The offset in this position is the time of the request in milliseconds.
 */
public record RecordPosition(String topic, int partition, long offset) {

    /**
     * The position in an entry for which there is no record in the log and no direct rename, for example the entry of a
     * writer.
     */
    public static final RecordPosition NOWHERE = new RecordPosition("", 0, 0);

    /** Replaces the topic in the positions of direct renames. No request topic has this name. */
    private static final String DIRECT = "direct";

    /** Returns the position of a direct rename that was requested at this time. */
    public static RecordPosition ofDirect(Instant requestedAt) {
        return new RecordPosition(DIRECT, 0, requestedAt.toEpochMilli());
    }

    /** Returns whether this is the position of a direct rename, and not of a record in the log. */
    public boolean isDirect() {
        return topic.equals(DIRECT);
    }

    @Override
    public String toString() {
        return topic + "-" + partition + "@" + offset;
    }
}
