package org.treerename.lock;

import java.util.Comparator;

/**
 * How old a request is: when the log took its first delivery, then its id. The older one goes first where two want the
 * same lock. It decides about fairness only.
 */
public record LockPriority(long appendedAtMillis, String requestId) implements Comparable<LockPriority> {

    private static final Comparator<LockPriority> ORDER =
            Comparator.comparingLong(LockPriority::appendedAtMillis).thenComparing(LockPriority::requestId);

    public boolean isOlderThan(LockPriority other) {
        return compareTo(other) < 0;
    }

    @Override
    public int compareTo(LockPriority other) {
        return ORDER.compare(this, other);
    }
}
