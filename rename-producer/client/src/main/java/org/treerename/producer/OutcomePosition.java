package org.treerename.producer;

/**
 * The position of a record in the topic of outcomes.
 *
 * @param partition the partition of the topic, at least 0
 * @param offset the offset in this partition, at least 0
 */
public record OutcomePosition(int partition, long offset) {

    public OutcomePosition {
        if (partition < 0 || offset < 0) {
            throw new IllegalArgumentException(
                    "partition and offset must be at least 0, found " + partition + " and " + offset);
        }
    }
}
