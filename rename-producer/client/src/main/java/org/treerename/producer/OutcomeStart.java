package org.treerename.producer;

import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;

/** The first outcomes that a subscription reports. */
public sealed interface OutcomeStart {

    /**
     * Kafka stores the position of a consumer group.
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
     * Continues where the consumer group ended. A new group begins with the oldest outcome that Kafka keeps. Programs with the same
     * group share the outcomes: each outcome arrives at one of them. A program that needs all outcomes must have its own group.
     * Kafka stores the position of the group after each batch of at most 100 outcomes, when the listener has processed it. The
     * listener must process a batch within Kafka's {@code max.poll.interval.ms} (5 minutes). Otherwise another member of the
     * group receives the batch as well.
     */
    static OutcomeStart group(String id) {
        return new Group(id);
    }

    /**
     * Begins with the outcomes that are published from now on. Uses no group. After a restart, the program does not
     * receive the outcomes that were published in between. This start fits a cache that is empty after a restart.
     */
    static OutcomeStart end() {
        return new End();
    }

    /**
     * Continues behind the positions of processed outcomes. The program has stored these positions itself, for example
     * in the transaction that also stored the effects of the outcomes. Uses no group. A partition without a position
     * begins with the oldest outcome that Kafka keeps. A partition also begins there if Kafka has deleted the outcome
     * at its position.
     *
     * @param processed the positions of processed outcomes; of each partition, the last one counts
     */
    static OutcomeStart after(Collection<OutcomePosition> processed) {
        Map<Integer, Long> offsets = new TreeMap<>();
        processed.forEach(position -> offsets.merge(position.partition(), position.offset(), Math::max));
        return new After(offsets);
    }
}
