package org.treerename.producer;

import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;

/** The start position of a subscription in the topic of outcomes. */
public sealed interface OutcomeStart {

    /**
     * The position that Kafka stores for a consumer group.
     *
     * @param id the id of the group
     */
    record Group(String id) implements OutcomeStart {
        public Group {
            if (id.isBlank()) {
                throw new IllegalArgumentException("the id of a consumer group must not be blank");
            }
        }
    }

    /** The end of the topic: only the outcomes that are published from now on arrive. */
    record End() implements OutcomeStart {}

    /**
     * The positions after processed outcomes. The program has stored the offsets of these outcomes.
     *
     * @param offsets the offset of the last processed outcome of each partition
     */
    record After(Map<Integer, Long> offsets) implements OutcomeStart {
        public After {
            offsets = Map.copyOf(offsets);
        }
    }

    /**
     * Returns a start at the stored position of a consumer group. A new group begins with the oldest outcome that Kafka
     * keeps. Programs with the same group share the outcomes: each outcome arrives at one of these programs. A program
     * that needs all outcomes must have its own group. When the listener has processed a batch of at most 100 outcomes,
     * Kafka stores the position of the group. The listener must process a batch within Kafka's {@code
     * max.poll.interval.ms} (5 minutes). Otherwise, another member of the group receives the batch as well.
     */
    static OutcomeStart group(String id) {
        return new Group(id);
    }

    /**
     * Returns a start at the end of the topic. The subscription receives the outcomes that are published from now on,
     * and uses no group. The program does not receive the outcomes that are published while it is not running. This
     * start is suitable for a cache that is empty after a restart.
     */
    static OutcomeStart end() {
        return new End();
    }

    /**
     * Returns a start after the positions of processed outcomes. The program stores these positions itself, for example
     * in the same transaction as the effects of the outcomes. The subscription uses no group. In two cases, the
     * subscription begins with the oldest outcome of a partition: the partition has no stored position, or Kafka has
     * deleted the outcome after this position.
     *
     * @param processed the positions of processed outcomes; if a partition has several positions, the last position is
     *     used
     */
    static OutcomeStart after(Collection<OutcomePosition> processed) {
        Map<Integer, Long> offsets = new TreeMap<>();
        processed.forEach(position -> offsets.merge(position.partition(), position.offset(), Math::max));
        return new After(offsets);
    }
}
