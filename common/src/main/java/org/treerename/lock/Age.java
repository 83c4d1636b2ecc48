package org.treerename.lock;

import java.util.Comparator;

/**
 * How old a request is: when the log took its first delivery, then its id. The older one goes first where two want the
 * same lock. It decides about fairness only.
 */
public record Age(long appendedAtMillis, String requestId) implements Comparable<Age> {

    private static final Comparator<Age> ORDER =
            Comparator.comparingLong(Age::appendedAtMillis).thenComparing(Age::requestId);

    public boolean isOlderThan(Age other) {
        return compareTo(other) < 0;
    }

    @Override
    public int compareTo(Age other) {
        return ORDER.compare(this, other);
    }
}
