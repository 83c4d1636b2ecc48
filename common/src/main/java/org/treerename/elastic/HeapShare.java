package org.treerename.elastic;

/**
 * Reserves heap for the pages of scans. The pages of all scans together may fill only a part of the heap. No thread
 * waits for free heap. If little heap is free, a scan reserves fewer bytes and reads smaller pages. Any thread may call
 * this class.
 */
final class HeapShare {

    /**
     * The maximum size of all pages is the size of the heap, divided by this number. The number is large because a page
     * is in memory several times: as an answer, as documents, as rewritten documents, and as a bulk.
     */
    private static final int PART = 10;

    private static final long LEAST_BYTES = 64 * 1024;

    private static final int MEBIBYTE = 1024 * 1024;

    /** One document is in memory about eight times while it moves. */
    private static final int COPIES = 8;

    /**
     * The maximum number of bytes of an answer with whole documents. By default, Elasticsearch accepts requests up to
     * 100 MB ({@code http.max_content_length}). So no client can have written a larger document, and a move could not
     * write it. In a small heap, the maximum is smaller.
     */
    static final int LARGEST_ANSWER =
            (int) Math.clamp(Runtime.getRuntime().maxMemory() / COPIES, 24L * MEBIBYTE, 101L * MEBIBYTE);

    private final long least;
    private long free;

    /**
     * @param bytes the maximum number of bytes of the documents in all pages together
     * @param least the number of bytes that a scan may always reserve
     */
    HeapShare(long bytes, long least) {
        this.free = bytes;
        this.least = least;
    }

    static HeapShare ofThisProcess() {
        return new HeapShare(Runtime.getRuntime().maxMemory() / PART, LEAST_BYTES);
    }

    /**
     * Reserves the wanted number of bytes. If fewer bytes are free, reserves the free bytes, but at least
     * {@code least} bytes. Returns the number of reserved bytes.
     */
    synchronized long take(long wanted) {
        long reserved = Math.min(wanted, Math.max(least, free));
        free -= reserved;
        return reserved;
    }

    /** Changes a reservation to the actual size: releases the unused bytes, or reserves the missing bytes. */
    synchronized void correct(long reserved, long actual) {
        free += reserved - actual;
    }

    synchronized long free() {
        return free;
    }

    /** Releases a reservation. */
    void release(long reserved) {
        correct(reserved, 0);
    }
}
