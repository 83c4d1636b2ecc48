package org.treerename.rename;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.treerename.rename.TreeStore.Scan;

/**
 * The documents that a process read under the locks of a rename before it committed the rename. The acknowledged commit is the conditional
 * write between this reading and the moves of these documents.
 *
 * @param own the documents at the source
 * @param scan of the documents at and below the source; null if there is none
 */
record ReadBeforeCommit(List<Document> own, @Nullable Scan scan) implements AutoCloseable {

    /** For a rename that was committed before this process carried it, or by a thread that has ended. */
    static final ReadBeforeCommit NOTHING = new ReadBeforeCommit(List.of(), null);

    ReadBeforeCommit {
        own = List.copyOf(own);
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
