package org.treerename.rename;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.treerename.tree.Document;
import org.treerename.tree.TreeStore.Scan;

/**
 * The documents that a process read under the locks of a rename before it committed the rename. {@link Mover} needs an
 * acknowledged conditional write of the entry between this read and the moves of these documents. This write is the
 * commit.
 *
 * @param own a list with the document at the source; an empty list if there is no such document. An empty Optional
 *     means that the documents at the source must be read after the commit
 * @param scan the scan of the documents at and below the source; null if no scan was opened
 * @param firstPage the first page of the scan, which was read before the commit
 */
public record ReadBeforeCommit(
        Optional<List<Document>> own, @Nullable Scan scan, List<Document> firstPage) implements AutoCloseable {

    /**
     * The value if no documents were read before the commit, because another process or an ended thread committed the
     * rename. This value is also used if several documents are at the source, because the check before the commit may
     * not have read all of them.
     */
    public static final ReadBeforeCommit NOTHING = new ReadBeforeCommit(Optional.empty(), null, List.of());

    public ReadBeforeCommit {
        own = own.map(List::copyOf);
        firstPage = List.copyOf(firstPage);
        if (own.isEmpty() ? scan != null : own.get().size() > 1) {
            throw new IllegalArgumentException(
                    "expected at most one document at the source, and no scan if the documents at the source are"
                            + " unknown; found " + own);
        }
    }

    /** The documents that were read if the rename moves one document, or if no scan could be opened. */
    static ReadBeforeCommit of(List<Document> own) {
        return new ReadBeforeCommit(Optional.of(own), null, List.of());
    }

    /** Reads the first page of the scan. If the read fails, the caller must close the scan. */
    static ReadBeforeCommit of(List<Document> own, Scan scan) {
        return new ReadBeforeCommit(Optional.of(own), scan, scan.nextPage());
    }

    /** Returns the scan with all pages, of which the first is already read. */
    Optional<Scan> first() {
        return Optional.ofNullable(scan).map(read -> new BegunScan(read, firstPage));
    }

    private static final class BegunScan implements Scan {

        private final Scan scan;
        private @Nullable List<Document> firstPage;

        BegunScan(Scan scan, List<Document> firstPage) {
            this.scan = scan;
            this.firstPage = firstPage;
        }

        @Override
        public List<Document> nextPage() {
            List<Document> first = firstPage;
            firstPage = null;
            return first == null || first.isEmpty() ? scan.nextPage() : first;
        }

        @Override
        public void close() {
            scan.close();
        }
    }

    @Override
    public void close() {
        if (scan != null) {
            scan.close();
        }
    }
}
