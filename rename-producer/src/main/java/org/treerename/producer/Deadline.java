package org.treerename.producer;

import java.time.Duration;
import org.treerename.runtime.Time;

/** One bound over several steps. */
final class Deadline {

    private static final Duration LEAST = Duration.ofMillis(1);

    private final Time time;
    private final long begunNanos;
    private final Duration length;

    Deadline(Time time, Duration length) {
        this.time = time;
        this.begunNanos = time.nanos();
        this.length = length;
    }

    /** What the next step may take: never nothing, which Kafka and {@link Thread#join(long)} read in their own ways. */
    Duration left() {
        Duration left = length.minusNanos(time.nanos() - begunNanos);
        return left.compareTo(LEAST) < 0 ? LEAST : left;
    }
}
