package org.treerename.rename;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.treerename.rename.TreeStore.Scan;

/**
 * The documents that a process read under the locks of a rename before it committed the rename. The acknowledged commit is the conditional
 * write between this reading and the moves of these documents.
 *
 * @param own the document at the source, or none if there is none; empty if the documents at the source must be read after the commit
 * @param scan of the documents at and below the source; null if there is none
 */
record ReadBeforeCommit(
        Optional<List<Document>> own, @Nullable Scan scan) implements AutoCloseable {

    /**
     * For a rename that was committed before this process carried it, or by a thread that has ended, and for a rename with several documents at
     * its source: the check need not have read all of them.
     */
    static final ReadBeforeCommit NOTHING = new ReadBeforeCommit(Optional.empty(), null);

    ReadBeforeCommit {
        own = own.map(List::copyOf);
        if (own.isEmpty() ? scan != null : own.get().size() > 1) {
            throw new IllegalArgumentException(
                    "a scan before the commit follows the move of at most one own document, found " + own);
        }
    }

    static ReadBeforeCommit of(List<Document> own, @Nullable Scan scan) {
        return new ReadBeforeCommit(Optional.of(own), scan);
    }

    Optional<Scan> first() {
        return Optional.ofNullable(scan);
    }

    @Override
    public void close() {
        if (scan != null) {
            scan.close();
        }
    }
}
