package org.treerename.producer.http;

import java.util.Map;

/**
 * Limits the memory that all requests in progress need together. A request reserves memory before it needs the memory.
 * If no memory is left, the request fails, instead of the whole gateway. Any thread may call this class.
 */
final class MemoryBudget {

    private final long most;
    private long used;

    /**
     * @param most the number of bytes that all requests together may reserve
     */
    MemoryBudget(long most) {
        this.most = most;
    }

    /** Returns a limit of half of the heap. The other half is for everything that no request reserves. */
    static MemoryBudget ofHeap() {
        return new MemoryBudget(Runtime.getRuntime().maxMemory() / 2);
    }

    synchronized long used() {
        return used;
    }

    /** Begins a request that has not reserved any memory. */
    Share begin() {
        return new Share();
    }

    private synchronized boolean take(long bytes) {
        if (used + bytes > most) {
            return false;
        }
        used += bytes;
        return true;
    }

    private synchronized void release(long bytes) {
        used -= bytes;
    }

    /** The memory that one request has reserved. The end of the request releases the memory. */
    final class Share implements AutoCloseable {

        private long reserved;
        private boolean isClosed;

        private Share() {}

        /**
         * Reserves memory, or gives memory back.
         *
         * @param bytes negative to give back memory that was reserved
         * @throws ProblemException if too little memory is left, or the request has ended
         */
        synchronized void reserve(long bytes) {
            if (isClosed || !take(bytes)) {
                throw new ProblemException(
                        Problem.OVERLOADED,
                        "the requests in progress need too much memory; try again later, or request smaller pages",
                        null,
                        Map.of("Retry-After", "1"));
            }
            reserved += bytes;
        }

        @Override
        public synchronized void close() {
            release(reserved);
            reserved = 0;
            isClosed = true;
        }
    }
}
