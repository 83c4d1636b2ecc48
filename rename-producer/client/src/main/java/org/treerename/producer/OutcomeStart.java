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

    /** The outcomes that are published from now on. */
    record End() implements OutcomeStart {}

    /**
     * The outcomes behind stored positions.
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
     * max.poll.interval.ms} (5 minutes). Otherwise another member of the group receives the batch as well.
     */
    static OutcomeStart group(String id) {
        return new Group(id);
    }

    /**
     * Returns a start with the outcomes that are published from now on. Uses no group. The program does not receive the
     * outcomes that are published while it is not running. This start fits a cache that is empty after a restart.
     */
    static OutcomeStart end() {
        return new End();
    }

    /**
     * Returns a start behind the positions of processed outcomes. The program has stored these positions itself, for
     * example in the transaction that also stored the effects of the outcomes. Uses no group. A partition without a
     * position begins with the oldest outcome that Kafka keeps. If Kafka has deleted the outcome at the position of a
     * partition, the partition also begins with its oldest outcome.
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
