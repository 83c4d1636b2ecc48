package org.treerename.worker;

import java.util.Map;

/**
 * What a look at a {@link RequestLoop} shows.
 *
 * @param joined whether it is a member of its consumer group
 * @param running requests that are carried
 * @param lengths of each partition that it has, by its number, the requests taken since the lowest that has not ended
 */
record LoopReading(boolean joined, int running, Map<String, Integer> lengths) {

    static final LoopReading NONE = new LoopReading(false, 0, Map.of());

    LoopReading {
        lengths = Map.copyOf(lengths);
    }
}
