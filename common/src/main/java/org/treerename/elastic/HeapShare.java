package org.treerename.elastic;

/**
 * The part of the heap that the pages of all scans together may fill. No thread waits for it: if little is free, a scan gets little and reads
 * smaller pages. Any thread may call it.
 */
final class HeapShare {

    /** The divisor of the heap. It is large because a page exists several times: as an answer, as documents, rewritten, and as a bulk. */
    private static final int PART = 10;

    private final long least;
    private long free;

    /**
     * @param bytes the bytes of the documents of all pages together
     * @param least the bytes that a scan gets even if nothing is free
     */
    HeapShare(long bytes, long least) {
        this.free = bytes;
        this.least = least;
    }

    static HeapShare ofThisProcess(long least) {
        return new HeapShare(Runtime.getRuntime().maxMemory() / PART, least);
    }

    /** Reserves the wanted bytes, or as many as are free, but at least the minimum. Returns the reserved bytes. */
    synchronized long take(long wanted) {
        long reserved = Math.min(wanted, Math.max(least, free));
        free -= reserved;
        return reserved;
    }

    /** Replaces a reservation by the actual size: releases the rest, or reserves the difference as well. */
    synchronized void correct(long reserved, long actual) {
        free += reserved - actual;
    }

    synchronized long free() {
        return free;
    }

    /** Releases a reservation. */
    void giveBack(long reserved) {
        correct(reserved, 0);
    }
}
