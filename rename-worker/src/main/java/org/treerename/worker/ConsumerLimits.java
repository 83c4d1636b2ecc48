package org.treerename.worker;

import java.util.Collection;

/**
 * The limits for the requests that a worker has received. If the requests of a partition reach the limit of one
 * partition, the worker pauses the partition. If their number falls to half of this limit, the worker resumes the
 * partition. All partitions of a worker together have a second limit, because their requests use the same heap. At the
 * second limit, only partitions that use less than an equal share continue.
 *
 * @param concurrency the maximum number of requests of one namespace that this worker processes at the same time
 * @param requests the maximum number of received requests of one partition that have not ended
 */
public record ConsumerLimits(int concurrency, int requests) {

    /**
     * The maximum total size, in bytes, of the records whose requests have not ended, for all partitions together. One
     * record may contain a megabyte.
     */
    static final long BYTES = 64L * 1024 * 1024;

    /** The maximum number of received requests of all partitions. One request uses two to three kilobytes of heap. */
    static final int MOST_REQUESTS = 30_000;

    private static final int MOST_CONCURRENCY = 4_096;

    /** The number of partitions of a worker, and the number and total size of the requests in all their queues. */
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
                    "--concurrency must be 1 to " + MOST_CONCURRENCY + ", was " + concurrency);
        }
        if (requests < concurrency || requests > 1_000_000) {
            throw new IllegalArgumentException("--window must be at least --concurrency (" + concurrency
                    + ") and at most 1000000, was " + requests);
        }
    }

    /**
     * Returns whether another request of a namespace may begin. Each namespace has a limit of its own, because the
     * requests of a namespace whose tree does not answer stay in progress. All namespaces together have a second limit.
     * At the second limit, only a namespace that uses less than an equal share may begin a request.
     *
     * @param ofNamespace the number of requests of the namespace in progress
     * @param all the number of requests in progress
     * @param namespaces the number of namespaces with requests in progress
     */
    boolean mayBegin(int ofNamespace, int all, int namespaces) {
        return ofNamespace < concurrency
                && (all < MOST_CONCURRENCY || ofNamespace < MOST_CONCURRENCY / Math.max(1, namespaces));
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
