package org.treerename.worker;

import java.util.Map;

/**
 * What a look at a {@link RequestLoop} shows.
 *
 * @param joined whether it is a member of its consumer group
 * @param gone whether no request may begin, as the round has seen it at its end
 * @param running requests that are carried
 * @param queues of each partition that it has, by its number
 */
public record LoopReading(boolean joined, boolean gone, int running, Map<String, Queue> queues) {

    /**
     * Of one partition.
     *
     * @param length the requests taken since the lowest that has not ended
     * @param waiting those of them that are neither carried nor have ended
     */
    public record Queue(int length, int waiting) {}

    static final LoopReading NONE = new LoopReading(false, false, 0, Map.of());

    public LoopReading {
        queues = Map.copyOf(queues);
    }

    /** Returns how many requests of all its partitions are neither carried nor have ended. */
    int waiting() {
        return queues.values().stream().mapToInt(Queue::waiting).sum();
    }

    /** Returns how many requests are carried; at least one where another may begin. */
    int runningOrBeginning() {
        return gone ? running : Math.max(1, running);
    }
}
