package org.treerename.elastic;

/**
 * Chooses the number of documents for the next page of a scan. The number depends on the size of the documents in the
 * last page. So the read of a page is fast, and the page fits into the heap. The first page is small, because the size
 * of its documents is not known yet. Only one thread calls this class.
 */
final class PageSize {

    private static final int FIRST = 500;

    /** The assumed size of a document in bytes before the first document was read. */
    private static final int GUESS = 512;

    /** The first page may contain this many documents even if they exceed its byte limit. */
    private static final int LEAST_FIRST = 50;

    private static final int GROWTH = 10;
    private static final int SHRINKAGE = 4;

    private final int most;
    private int size;

    /** The mean size of the documents in the last page, rounded up; 0 before the first document was read. */
    private long bytesOfOne;

    /**
     * @param most the largest number of documents in one page
     */
    PageSize(int most) {
        this.most = most;
        this.size = Math.min(most, FIRST);
    }

    /**
     * Returns the number of documents to request.
     *
     * @param bytes the total size in bytes that the documents should not exceed
     */
    int within(long bytes) {
        long fitting = bytesOfOne == 0 ? Math.max(LEAST_FIRST, bytes / GUESS) : Math.max(1, bytes / bytesOfOne);
        return (int) Math.min(size, fitting);
    }

    /** Records the number of documents of a page, and their total size in bytes. */
    void saw(int documents, long bytes) {
        if (documents > 0) {
            bytesOfOne = Math.max(1, (bytes + documents - 1) / documents);
            size = (int) Math.min(most, (long) size * GROWTH);
        }
    }

    /**
     * Records that the requested documents are too large for one answer.
     *
     * @return whether fewer documents can be requested
     */
    boolean tooLarge(int documents) {
        size = Math.max(1, documents / SHRINKAGE);
        return documents > 1;
    }
}
