package org.treerename.elastic;

/**
 * How many documents the next page of a scan asks for, so that a page is neither slow to come nor too large for the heap: by
 * the size of those that came. It begins small, because nothing is known of them. One thread calls it.
 */
final class PageSize {

    private static final int FIRST = 500;

    /** Bytes of a document of which nothing is known, and so many documents the first page may have in any case. */
    private static final int GUESS = 512;

    private static final int LEAST_FIRST = 50;

    private static final int GROWTH = 10;
    private static final int SHRINKAGE = 4;

    private final int most;
    private int size;

    /** Of the documents seen, rounded up; 0 as long as nothing is known. */
    private long bytesOfOne;

    /**
     * @param most documents of one page
     */
    PageSize(int most) {
        this.most = most;
        this.size = Math.min(most, FIRST);
    }

    /**
     * How many to ask for.
     *
     * @param bytes that they should not have more of together
     */
    int within(long bytes) {
        long fitting = bytesOfOne == 0 ? Math.max(LEAST_FIRST, bytes / GUESS) : Math.max(1, bytes / bytesOfOne);
        return (int) Math.min(size, fitting);
    }

    /** So many came, of so many bytes together. */
    void saw(int documents, long bytes) {
        if (documents > 0) {
            bytesOfOne = Math.max(1, (bytes + documents - 1) / documents);
            size = (int) Math.min(most, (long) size * GROWTH);
        }
    }

    /**
     * As many as were asked for are too large for one answer.
     *
     * @return whether fewer can be asked for
     */
    boolean tooLarge(int asked) {
        size = Math.max(1, asked / SHRINKAGE);
        return asked > 1;
    }
}
