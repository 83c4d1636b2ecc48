package org.treerename.worker;

import java.util.OptionalLong;
import java.util.function.Function;
import org.apache.kafka.common.TopicPartition;
import org.treerename.rename.Delivery;
import org.treerename.rename.Renamer.Answer;
import org.treerename.runtime.StopSignal;

/** A partition while this worker has it. One thread calls it. */
final class Assignment {

    private static final long NOWHERE = -1;

    private final TopicPartition partition;
    private final StopSignal stop;
    private final Function<Delivery, Answer> renamer;
    private final PartitionQueue queue = new PartitionQueue();

    /** The group stands here or before it. */
    private long committed = NOWHERE;

    private boolean paused;

    /**
     * @param stop of this assignment alone
     * @param renamer carries its requests and obeys that signal
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

    /** What is not decided is given back, what is decided goes on, and no offset of it is let go by this worker any more. */
    void giveUp() {
        stop.request();
    }

    /** Whether what is begun now would be given back at once. */
    boolean isGivenUp() {
        return stop.isRequested();
    }

    /** Puts the next record at the end of the queue. The group stands at the first one that is taken, or before it. */
    void take(ReceivedRecord taken, Footprint footprint) {
        if (committed == NOWHERE) {
            committed = taken.message().offset();
        }
        queue.add(taken, footprint);
    }

    /** Where the group is to stand, if it does not stand there. */
    OptionalLong uncommitted() {
        OptionalLong position = queue.position();
        return position.isPresent() && position.getAsLong() > committed ? position : OptionalLong.empty();
    }

    /** Records a committed position. An older commit that is answered later changes nothing. */
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
