package org.treerename.lock;

import java.util.Comparator;

/**
 * The priority of a request. Requests are ordered by the time at which Kafka appended their first record, and then by
 * request id. For a direct rename and for a writer, the time is read from the caller's clock. If two requests need the
 * same lock, the older request has priority. The order affects only fairness.
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
