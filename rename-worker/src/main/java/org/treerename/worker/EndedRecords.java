package org.treerename.worker;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.StringJoiner;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;

/**
 * The records of a partition behind the committed offset that have ended. One request that waits for a long time, for
 * example for the locks of a parked rename, keeps the committed offset at its record. Without this information, each
 * next owner of the partition would process all later records again. Kafka stores the text of this information beside
 * the offset, as the metadata of the commit. The idea is from Confluent's Parallel Consumer.
 *
 * <p>After an unclean election of a leader, other records may have the same offsets. The leader epochs of these records
 * are higher. So a record counts as ended only up to the epoch that was known when the commit was written.
 *
 * @param open the offsets before {@code end} whose requests have not ended
 * @param end the offset after the last record that this information covers
 * @param epoch the leader epoch of the last record that this information covers
 */
record EndedRecords(Set<Long> open, long end, int epoch) {

    static final EndedRecords NONE = new EndedRecords(Set.of(), 0, -1);

    /** The maximum length of a text. By default, Kafka accepts metadata of 4,096 bytes. */
    static final int LONGEST_TEXT = 4_000;

    private static final String FORMAT = "ended-records-1";

    /** Returns the information in a commit, or {@link #NONE} if the commit contains none that this class can read. */
    static EndedRecords of(OffsetAndMetadata committed) {
        String[] words = committed.metadata().split(" ");
        if (words.length < 3 || !words[0].equals(FORMAT)) {
            return NONE;
        }
        try {
            Set<Long> open = new HashSet<>();
            long offset = 0;
            for (String distance : List.of(words).subList(3, words.length)) {
                offset += Long.parseLong(distance);
                open.add(offset);
            }
            return new EndedRecords(open, Long.parseLong(words[1]), Integer.parseInt(words[2]));
        } catch (NumberFormatException e) {
            return NONE;
        }
    }

    /** Returns whether a record from the committed offset on has ended. */
    boolean contains(ConsumerRecord<byte[], byte[]> message) {
        return message.offset() < end
                && message.leaderEpoch().filter(known -> known <= epoch).isPresent()
                && !open.contains(message.offset());
    }

    /**
     * Returns the information after an owner of the partition has received more records.
     *
     * @param received the offsets of the received records whose requests have not ended
     * @param afterLast the offset after the last received record
     * @param lastEpoch the leader epoch of the last received record
     */
    EndedRecords then(List<Long> received, long afterLast, Optional<Integer> lastEpoch) {
        if (lastEpoch.isEmpty()) {
            return NONE;
        }
        Set<Long> still = new HashSet<>(received);
        if (afterLast >= end || lastEpoch.get() > epoch) {
            return new EndedRecords(still, afterLast, lastEpoch.get());
        }
        open.stream().filter(offset -> offset >= afterLast).forEach(still::add);
        return new EndedRecords(still, end, epoch);
    }

    /**
     * Returns the text for a commit of this offset. If the text would be too long, it covers only the first records.
     * The text is empty if no record after the offset has ended.
     */
    String text(long position, int longest) {
        List<Long> sorted = new ArrayList<>(open);
        sorted.sort(null);
        if (sorted.size() >= end - position) {
            return "";
        }
        StringJoiner distances = new StringJoiner(" ");
        int most = longest - FORMAT.length() - " 9223372036854775807 2147483647 ".length();
        long covered = end;
        long last = 0;
        for (long offset : sorted) {
            String distance = String.valueOf(offset - last);
            if (distances.length() + 1 + distance.length() > most) {
                covered = offset;
                break;
            }
            distances.add(distance);
            last = offset;
        }
        return most < 0 ? "" : (FORMAT + " " + covered + " " + epoch + " " + distances).strip();
    }
}
