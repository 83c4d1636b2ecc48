package org.treerename.worker;

import java.util.OptionalLong;
import java.util.function.Function;
import org.apache.kafka.common.TopicPartition;
import org.treerename.journal.Delivery;
import org.treerename.rename.Renamer.Answer;
import org.treerename.runtime.StopSignal;

/** A partition while it is assigned to this worker. Only one thread calls this class. */
final class Assignment {

    private static final long NO_OFFSET = -1;

    private final TopicPartition partition;
    private final StopSignal stop;
    private final Function<Delivery, Answer> renamer;
    private final PartitionQueue queue = new PartitionQueue();

    /**
     * The highest offset that this worker treats as committed. The offset that Kafka stores for the consumer group is
     * this offset or a lower offset.
     */
    private long committed = NO_OFFSET;

    private boolean paused;

    /**
     * @param stop the stop signal that applies only to this assignment
     * @param renamer the function that processes the requests and obeys {@code stop}
     */
    Assignment(TopicPartition partition, StopSignal stop, Function<Delivery, Answer> renamer) {
        this.partition = partition;
        this.stop = stop;
        this.renamer = renamer;
    }

    TopicPartition partition() {
        return partition;
    }

    Function<Delivery, Answer> renamer() {
        return renamer;
    }

    PartitionQueue queue() {
        return queue;
    }

    /** Stops the work for this partition. The locks of undecided renames are released, and decided renames continue. */
    void giveUp() {
        stop.request();
    }

    /** Returns whether the work for this partition was stopped. After the stop, a request stops when it begins. */
    boolean isGivenUp() {
        return stop.isRequested();
    }

    /**
     * Adds the next record at the end of the queue. The offset of the first received record is treated as committed,
     * because this worker has received no earlier record.
     */
    void take(ReceivedRecord received, Footprint footprint) {
        if (committed == NO_OFFSET) {
            committed = received.message().offset();
        }
        queue.add(received, footprint);
    }

    /** Returns the offset to commit; empty if it is committed already. */
    OptionalLong uncommitted() {
        OptionalLong position = queue.position();
        return position.isPresent() && position.getAsLong() > committed ? position : OptionalLong.empty();
    }

    /** Records a committed offset. A late answer to an earlier commit changes nothing. */
    void committed(long position) {
        committed = Math.max(committed, position);
    }

    boolean isPaused() {
        return paused;
    }

    void paused(boolean now) {
        paused = now;
    }
}
