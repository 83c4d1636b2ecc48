package org.treerename.worker;

import java.util.Map;

/**
 * The state of a {@link RequestLoop} at the end of a round.
 *
 * @param joined whether the loop is a member of its consumer group
 * @param gone whether no request may begin
 * @param running the number of requests in progress
 * @param queues the queue of each assigned partition, by partition number
 */
public record LoopReading(boolean joined, boolean gone, int running, Map<String, Queue> queues) {

    /**
     * The sizes of the queue of one partition.
     *
     * @param length the number of received requests that have not ended
     * @param waiting the number of requests in the queue whose processing has not begun
     */
    public record Queue(int length, int waiting) {}

    static final LoopReading NONE = new LoopReading(false, false, 0, Map.of());

    public LoopReading {
        queues = Map.copyOf(queues);
    }

    /** Returns the number of requests in all assigned partitions whose processing has not begun. */
    int waiting() {
        return queues.values().stream().mapToInt(Queue::waiting).sum();
    }

    /** Returns the number of requests in progress; at least 1 if another request may begin. */
    int runningOrBeginning() {
        return gone ? running : Math.max(1, running);
    }
}
