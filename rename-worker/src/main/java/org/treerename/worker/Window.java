package org.treerename.worker;

/**
 * How much of a partition may be taken and not ended: beyond it the partition is paused, and it is resumed at half of it.
 *
 * @param concurrency how many requests this worker carries at once, of all its partitions
 * @param requests of one partition that may have been taken since the lowest that has not ended
 */
public record Window(int concurrency, int requests) {

    /** Of the records that have not ended; a record may have a megabyte. */
    static final long BYTES = 64L * 1024 * 1024;

    public Window {
        if (concurrency < 1 || concurrency > 1_000) {
            throw new IllegalArgumentException("a worker carries 1 to 1000 requests at once, found " + concurrency);
        }
        if (requests < concurrency || requests > 1_000_000) {
            throw new IllegalArgumentException("a window has as many requests as are carried at once (" + concurrency
                    + ") to 1000000, found " + requests);
        }
    }

    boolean isFull(PartitionQueue queue) {
        return queue.length() >= requests || queue.bytes() >= BYTES;
    }

    boolean isHalfEmpty(PartitionQueue queue) {
        return queue.length() <= requests / 2 && queue.bytes() <= BYTES / 2;
    }
}
