package org.treerename.elastic;

/**
 * The part of the heap that pages of documents may fill, of all scans together. Nobody waits for it: who asks while little
 * is left gets little, and reads smaller pages. Any thread may call it.
 */
final class HeapShare {

    /** A page exists a few times: as an answer, as documents, rewritten, as a bulk. */
    private static final int PART = 10;

    private final long least;
    private long free;

    /**
     * @param bytes of documents, of all pages together
     * @param least that everybody gets
     */
    HeapShare(long bytes, long least) {
        this.free = bytes;
        this.least = least;
    }

    static HeapShare ofThisProcess(long least) {
        return new HeapShare(Runtime.getRuntime().maxMemory() / PART, least);
    }

    /** Takes what is wanted, or as much as is free. */
    synchronized long take(long wanted) {
        long taken = Math.min(wanted, Math.max(least, free));
        free -= taken;
        return taken;
    }

    /** What was taken turns out to be so much; the rest goes back, or what is lacking is taken, too. */
    synchronized void correct(long taken, long actual) {
        free += taken - actual;
    }

    synchronized long free() {
        return free;
    }

    void giveBack(long taken) {
        correct(taken, 0);
    }
}
