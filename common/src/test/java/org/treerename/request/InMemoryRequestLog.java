package org.treerename.request;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.treerename.runtime.Time;

/**
 * A request log of ten partitions. At first, the workers have finished every request. If the log is not empty, its
 * youngest request was appended at the current time of the clock.
 */
public final class InMemoryRequestLog implements RequestLog {

    private static final int PARTITIONS = 10;

    private final Supplier<Optional<Duration>> retention;
    private final Time clock;
    private final Map<String, Long> committed = new HashMap<>();
    private boolean isEmpty;

    /** The time at which the oldest unfinished request was appended. */
    private Instant unfinishedSince = Instant.MAX;

    /**
     * Creates a log that is not empty.
     *
     * @param clock returns the time at which the youngest request was appended
     */
    public InMemoryRequestLog(Time clock, Supplier<Optional<Duration>> retention) {
        this.clock = clock;
        this.retention = retention;
        for (int partition = 0; partition < PARTITIONS; partition++) {
            commit(partition, Long.MAX_VALUE);
        }
    }

    public void commit(int partition, long offset) {
        committed.put(new RecordPosition("rename.requests", partition, 0).topicPartition(), offset);
    }

    public void forgetCommits() {
        committed.clear();
    }

    public void becomeEmpty() {
        isEmpty = true;
    }

    @Override
    public Optional<Duration> retention() {
        return retention.get();
    }

    @Override
    public Optional<Instant> youngest() {
        return isEmpty ? Optional.empty() : Optional.of(clock.now());
    }

    /** Sets the time at which the oldest unfinished request was appended. */
    public void unfinishedSince(Instant time) {
        unfinishedSince = time;
    }

    @Override
    public boolean isFinishedBefore(Instant time) {
        return !unfinishedSince.isBefore(time);
    }

    @Override
    public Map<String, Long> committed() {
        return Map.copyOf(committed);
    }
}
