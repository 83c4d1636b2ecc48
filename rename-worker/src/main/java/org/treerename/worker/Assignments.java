package org.treerename.worker;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.treerename.journal.Delivery;
import org.treerename.rename.Renamer.Answer;
import org.treerename.runtime.StopSignal;
import org.treerename.worker.ConsumerLimits.Load;
import org.treerename.worker.DependencyQueue.Ready;
import org.treerename.worker.PartitionQueue.Queued;

/**
 * Keeps the partitions that are assigned to this worker. The worker takes requests from these partitions in turn. The
 * consumer reports assigned, revoked and lost partitions only during its methods {@code poll} and {@code close}. Only
 * the thread of the loop calls this class.
 */
final class Assignments implements ConsumerRebalanceListener {

    private static final Logger log = LoggerFactory.getLogger(Assignments.class);

    private final Consumer<byte[], byte[]> consumer;
    private final OffsetCommits commits;
    private final StopSignal stop;
    private final Function<StopSignal, Function<Delivery, Answer>> renamers;
    private final Map<TopicPartition, Assignment> assignments = new HashMap<>();

    /** The assigned partitions. The first partition in this queue has the next turn. */
    private final Deque<Assignment> turns = new ArrayDeque<>();

    /**
     * @param stop the signal that ends the loop; each assignment has a {@linkplain StopSignal#part part} of this signal
     * @param renamers the function that returns a renamer for a stop signal
     */
    Assignments(
            Consumer<byte[], byte[]> consumer,
            OffsetCommits commits,
            StopSignal stop,
            Function<StopSignal, Function<Delivery, Answer>> renamers) {
        this.consumer = consumer;
        this.commits = commits;
        this.stop = stop;
        this.renamers = renamers;
    }

    Collection<Assignment> all() {
        return assignments.values();
    }

    /** Returns the assignment of a partition; empty if the partition is not assigned to this worker. */
    Optional<Assignment> of(TopicPartition partition) {
        return Optional.ofNullable(assignments.get(partition));
    }

    /**
     * Removes and returns the next request that may begin, because all earlier conflicting requests of its partition
     * have ended. Returns empty if no partition has a request that may begin.
     *
     * @param mayBegin whether another request of a namespace may begin
     */
    Optional<Ready> next(Predicate<String> mayBegin) {
        for (int turn = 0; turn < turns.size(); turn++) {
            Assignment assignment = turns.removeFirst();
            turns.addLast(assignment);
            Optional<Queued> next = assignment.queue().begin(mayBegin);
            if (next.isPresent()) {
                return Optional.of(new Ready(assignment, next.get(), null));
            }
        }
        return Optional.empty();
    }

    /**
     * Pauses the partitions whose queues are full, and resumes the partitions whose queues have room again. Pauses all
     * partitions while no request may begin.
     */
    void pauseOrResume(ConsumerLimits window, boolean mayNotBegin) {
        Load all = Load.of(turns.stream().map(Assignment::queue).toList());
        for (Assignment assignment : turns) {
            if (!assignment.isPaused() && (mayNotBegin || window.isFull(assignment.queue(), all))) {
                consumer.pause(List.of(assignment.partition()));
                assignment.paused(true);
            } else if (assignment.isPaused() && !mayNotBegin && window.isHalfEmpty(assignment.queue(), all)) {
                consumer.resume(List.of(assignment.partition()));
                assignment.paused(false);
            }
        }
    }

    /** Returns the sizes of the queues, by partition number. */
    Map<String, LoopReading.Queue> queues() {
        Map<String, LoopReading.Queue> queues = new HashMap<>();
        assignments.forEach((partition, assignment) -> queues.put(
                String.valueOf(partition.partition()),
                new LoopReading.Queue(
                        assignment.queue().length(), assignment.queue().waiting())));
        return queues;
    }

    @Override
    public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
        log.info("assigned partitions {}", partitions);
        Map<TopicPartition, EndedRecords> ended = partitions.isEmpty() ? Map.of() : commits.endedBefore(partitions);
        for (TopicPartition partition : partitions) {
            StopSignal partitionStop = stop.part();
            Assignment assignment = new Assignment(
                    partition,
                    ended.getOrDefault(partition, EndedRecords.NONE),
                    partitionStop,
                    renamers.apply(partitionStop));
            assignments.put(partition, assignment);
            turns.addLast(assignment);
        }
    }

    @Override
    public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
        commits.commitNow(giveUp(partitions));
        log.info("revoked partitions {}", partitions);
    }

    @Override
    public void onPartitionsLost(Collection<TopicPartition> partitions) {
        giveUp(partitions);
        log.warn(
                "lost partitions {}: this worker is no longer a member of its consumer group; it commits no offsets of"
                        + " these partitions, and their next owner receives the unfinished requests again",
                partitions);
    }

    private List<Assignment> giveUp(Collection<TopicPartition> partitions) {
        List<Assignment> removed = new ArrayList<>();
        for (TopicPartition partition : partitions) {
            Assignment assignment = assignments.remove(partition);
            if (assignment != null) {
                assignment.giveUp();
                turns.remove(assignment);
                removed.add(assignment);
            }
        }
        return removed;
    }
}
