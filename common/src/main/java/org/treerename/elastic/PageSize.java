package org.treerename.elastic;

/**
 * Chooses how many documents the next page of a scan asks for, by the size of those in the last page, so that a page is neither slow
 * nor too large for the heap. It begins small, because no size is known yet. One thread calls it.
 */
final class PageSize {

    private static final int FIRST = 500;

    /** The assumed bytes of a document while no size is known. */
    private static final int GUESS = 512;

    /** So many documents the first page may have, whatever the limit of its bytes is. */
    private static final int LEAST_FIRST = 50;

    private static final int GROWTH = 10;
    private static final int SHRINKAGE = 4;

    private final int most;
    private int size;

    /** The mean size of the documents in the last page, rounded up; 0 if there was none. */
    private long bytesOfOne;

    /**
     * @param most documents of one page
     */
    PageSize(int most) {
        this.most = most;
        this.size = Math.min(most, FIRST);
    }

    /**
     * Returns how many documents to ask for.
     *
     * @param bytes that the documents together should not exceed
     */
    int within(long bytes) {
        long fitting = bytesOfOne == 0 ? Math.max(LEAST_FIRST, bytes / GUESS) : Math.max(1, bytes / bytesOfOne);
        return (int) Math.min(size, fitting);
    }

    /** Takes note of a page, by the number of its documents and their bytes together. */
    void saw(int documents, long bytes) {
        if (documents > 0) {
            bytesOfOne = Math.max(1, (bytes + documents - 1) / documents);
            size = (int) Math.min(most, (long) size * GROWTH);
        }
    }

    /**
     * Takes note that the documents that were asked for are too large for one answer.
     *
     * @return whether fewer can be asked for
     */
    boolean tooLarge(int asked) {
        size = Math.max(1, asked / SHRINKAGE);
        return asked > 1;
    }
}
