package org.treerename.worker;

import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.treerename.journal.Delivery;
import org.treerename.namespace.Namespace;
import org.treerename.rename.Renamer.Answer;
import org.treerename.runtime.StopSignal;

/** A partition while it is assigned to this worker. Only one thread calls this class. */
final class Assignment {

    private static final long NO_OFFSET = -1;

    private final TopicPartition partition;
    private final StopSignal stop;
    private final Function<Delivery, Answer> renamer;
    private final PartitionQueue queue;

    /** The highest progress treated as committed. Kafka stores its offset or a lower one for the consumer group. */
    private Progress committed = new Progress(NO_OFFSET, 0);

    private boolean paused;

    /**
     * How far the requests of the partition have ended.
     *
     * @param position the offset of the first request that has not ended
     * @param ended the number of requests that have ended, also behind the position
     */
    record Progress(long position, long ended) {}

    /**
     * @param before the records that an earlier owner of the partition has ended
     * @param stop the stop signal that applies only to this assignment
     * @param renamer the function that processes the requests and obeys {@code stop}
     */
    Assignment(TopicPartition partition, EndedRecords before, StopSignal stop, Function<Delivery, Answer> renamer) {
        this.partition = partition;
        this.queue = new PartitionQueue(before);
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
     * Adds the next record at the end of the queue, unless an earlier owner of the partition has ended it. The offset
     * of the first received record is treated as committed, because this worker has received no earlier record.
     *
     * @param known the function that returns the definition of a namespace without a request to a server
     */
    void take(ConsumerRecord<byte[], byte[]> message, Function<String, Optional<Namespace>> known) {
        if (committed.position() == NO_OFFSET) {
            committed = new Progress(message.offset(), 0);
        }
        if (!queue.skip(message)) {
            ReceivedRecord received = ReceivedRecord.of(message);
            queue.add(received, received.footprint(known));
        }
    }

    /** Returns the progress to commit; empty if it is committed already. */
    Optional<Progress> uncommitted() {
        OptionalLong position = queue.position();
        return position.isPresent()
                        && (position.getAsLong() > committed.position() || queue.ended() > committed.ended())
                ? Optional.of(new Progress(position.getAsLong(), queue.ended()))
                : Optional.empty();
    }

    /** Records a committed progress. A late answer to an earlier commit changes nothing. */
    void committed(Progress progress) {
        committed = new Progress(
                Math.max(committed.position(), progress.position()), Math.max(committed.ended(), progress.ended()));
    }

    boolean isPaused() {
        return paused;
    }

    void paused(boolean now) {
        paused = now;
    }
}
