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
 */
public record ReadBeforeCommit(
        Optional<List<Document>> own, @Nullable Scan scan) implements AutoCloseable {

    /**
     * The value if no documents were read before the commit, because another process or an ended thread committed the
     * rename. This value is also used if several documents are at the source, because the check before the commit may
     * not have read all of them.
     */
    public static final ReadBeforeCommit NOTHING = new ReadBeforeCommit(Optional.empty(), null);

    public ReadBeforeCommit {
        own = own.map(List::copyOf);
        if (own.isEmpty() ? scan != null : own.get().size() > 1) {
            throw new IllegalArgumentException(
                    "expected at most one document at the source, and no scan if the documents at the source are"
                            + " unknown; found " + own);
        }
    }

    public static ReadBeforeCommit of(List<Document> own, @Nullable Scan scan) {
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
