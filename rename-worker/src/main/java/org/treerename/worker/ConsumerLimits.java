package org.treerename.worker;

import java.util.Collection;

/**
 * How much of a partition may be taken and not ended: beyond it the partition is paused, and it is resumed at half of it. All
 * partitions of a worker have a limit together, because its heap holds them all. Where they reach it, the partitions that have less than
 * their share go on.
 *
 * @param concurrency how many requests this worker carries at once, of all its partitions
 * @param requests of one partition that may have been taken since the lowest that has not ended
 */
public record ConsumerLimits(int concurrency, int requests) {

    /** Of the records that have not ended, of all partitions; a record may have a megabyte. */
    static final long BYTES = 64L * 1024 * 1024;

    /** Of all partitions. One takes two to three kilobytes of heap. */
    static final int MOST_REQUESTS = 30_000;

    private static final int MOST_CONCURRENCY = 4_096;

    /** What all partitions of a worker have taken. */
    record Load(int partitions, int requests, long bytes) {

        static Load of(Collection<PartitionQueue> queues) {
            return new Load(
                    queues.size(),
                    queues.stream().mapToInt(PartitionQueue::length).sum(),
                    queues.stream().mapToLong(PartitionQueue::bytes).sum());
        }
    }

    public ConsumerLimits {
        if (concurrency < 1 || concurrency > MOST_CONCURRENCY) {
            throw new IllegalArgumentException(
                    "a worker carries 1 to " + MOST_CONCURRENCY + " requests at once, found " + concurrency);
        }
        if (requests < concurrency || requests > 1_000_000) {
            throw new IllegalArgumentException("a window has as many requests as are carried at once (" + concurrency
                    + ") to 1000000, found " + requests);
        }
    }

    boolean isFull(PartitionQueue queue, Load all) {
        return queue.length() >= requests
                || (all.requests() >= MOST_REQUESTS && queue.length() >= MOST_REQUESTS / all.partitions())
                || (all.bytes() >= BYTES && queue.bytes() >= BYTES / all.partitions());
    }

    boolean isHalfEmpty(PartitionQueue queue, Load all) {
        return queue.length() <= requests / 2
                && (all.requests() <= MOST_REQUESTS / 2 || queue.length() <= MOST_REQUESTS / all.partitions() / 2)
                && (all.bytes() <= BYTES / 2 || queue.bytes() <= BYTES / all.partitions() / 2);
    }
}
