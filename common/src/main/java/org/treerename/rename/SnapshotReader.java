package org.treerename.rename;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.treerename.process.ProcessContext;
import org.treerename.runtime.Backoff;
import org.treerename.store.NoAnswerException;
import org.treerename.store.RefusedException;
import org.treerename.tree.Document;
import org.treerename.tree.Rename;
import org.treerename.tree.TreeSnapshot;
import org.treerename.tree.TreeStore;
import org.treerename.tree.TreeStore.Scan;

/**
 * Reads the documents that the check of a rename needs, and their indices. If an index is deleted and created again
 * with the same name, the sequence numbers of the new index start again. So this class repeats its reads until the
 * indices are the same before and after the read of the documents. An index may also leave its alias and return between
 * these two reads, so the read of the documents must name the same indices. Any thread may call this class.
 */
final class SnapshotReader {

    /**
     * The documents that were read, and their indices.
     *
     * @param indices the uuids of the concrete indices that contain the documents, by name
     */
    record Reading(TreeSnapshot snapshot, Map<String, String> indices) {}

    private static final Logger log = LoggerFactory.getLogger(SnapshotReader.class);

    private final TreeStore tree;

    /**
     * The indices of each namespace, as the last read returned them. With these indices, the next read of documents
     * needs only one new read of the indices.
     */
    private final Map<String, Map<String, String>> known = new ConcurrentHashMap<>();

    SnapshotReader(TreeStore tree) {
        this.tree = tree;
    }

    /**
     * Reads the documents until the store answers and the indices have not changed during the read. Returns empty if
     * the store has not answered before a stop request.
     *
     * @throws RefusedException if the tree cannot be read
     */
    Optional<Reading> read(Rename rename, ProcessContext context) {
        Optional<Map<String, String>> before =
                Optional.ofNullable(known.get(rename.namespace().name()));
        if (before.isEmpty()) {
            before = indices(rename, context);
        }
        Backoff backoff = context.backoffs().begin("the reading of the tree for request " + rename.requestId());
        while (before.isPresent()) {
            Optional<TreeSnapshot> snapshot = context.retryUntilStopped(
                    "the documents around request " + rename.requestId(), () -> tree.examine(rename));
            Optional<Map<String, String>> after = snapshot.isEmpty() ? Optional.empty() : indices(rename, context);
            if (snapshot.isPresent()
                    && after.equals(before)
                    && snapshot.get().indices().equals(after.get().keySet())) {
                return Optional.of(new Reading(snapshot.get(), after.get()));
            }
            before = after;
            backoff.pause();
        }
        return Optional.empty();
    }

    /**
     * Opens the scan of a rename's first pass before the commit, if the rename moves more than one document, and reads
     * its first page. If Elasticsearch does not answer, the first pass opens its own scan after the commit. If several documents are at
     * the source, the method opens no scan. In this case, all scans are opened after the commit, and the documents at
     * the source move first.
     *
     * @throws RefusedException if Elasticsearch refuses the scan; nothing has changed yet
     */
    ReadBeforeCommit open(Rename rename, TreeSnapshot snapshot) {
        if (snapshot.own().size() > 1) {
            return ReadBeforeCommit.NOTHING;
        }
        boolean isOneDocument = snapshot.below() == 0 && snapshot.own().size() == 1;
        if (isOneDocument || rename.changesNothing()) {
            return ReadBeforeCommit.of(snapshot.own());
        }
        try {
            return begun(snapshot.own(), tree.open(rename, snapshot));
        } catch (NoAnswerException e) {
            log.debug(
                    "request {}: cannot open a scan before the commit: {}; opening it after the commit",
                    rename.requestId(),
                    e.getMessage());
            return ReadBeforeCommit.of(snapshot.own());
        }
    }

    private static ReadBeforeCommit begun(List<Document> own, Scan scan) {
        try {
            return ReadBeforeCommit.of(own, scan);
        } catch (RuntimeException e) {
            scan.close();
            throw e;
        }
    }

    private Optional<Map<String, String>> indices(Rename rename, ProcessContext context) {
        Optional<Map<String, String>> indices = context.retryUntilStopped(
                "the indices of request " + rename.requestId(), () -> tree.indices(rename.namespace()));
        indices.ifPresent(read -> known.put(rename.namespace().name(), read));
        return indices;
    }
}
