package org.treerename.worker;

import java.util.Map;

/**
 * What a look at a {@link RequestLoop} shows.
 *
 * @param joined whether it is a member of its consumer group
 * @param running requests that are carried
 * @param queues of each partition that it has, by its number
 */
record LoopReading(boolean joined, int running, Map<String, Queue> queues) {

    /**
     * Of one partition.
     *
     * @param length the requests taken since the lowest that has not ended
     * @param waiting those of them that are neither carried nor have ended
     */
    record Queue(int length, int waiting) {}

    static final LoopReading NONE = new LoopReading(false, 0, Map.of());

    LoopReading {
        queues = Map.copyOf(queues);
    }
}
