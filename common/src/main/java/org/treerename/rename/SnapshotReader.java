package org.treerename.rename;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.treerename.path.Namespace;
import org.treerename.store.NoAnswerException;
import org.treerename.store.RefusedException;

/**
 * Reads the documents around a rename, and their indices. An index that is created again under its name numbers the versions of its
 * documents from the start, so both are read again until the indices are the same before and after. Any thread may call it.
 */
final class SnapshotReader {

    /**
     * What was read.
     *
     * @param indices the uuids of the concrete indices in which the facts stand, by name
     */
    record Reading(TreeSnapshot snapshot, Map<String, String> indices) {}

    private static final Logger log = LoggerFactory.getLogger(SnapshotReader.class);

    private final TreeStore tree;

    /** The indices of each namespace as they were last read, which spares a reading before the facts. */
    private final Map<String, Map<String, String>> known = new ConcurrentHashMap<>();

    SnapshotReader(TreeStore tree) {
        this.tree = tree;
    }

    /**
     * Reads until there is an answer.
     *
     * @throws RefusedException if the tree cannot be read
     */
    Reading read(Rename rename, ProcessContext context) {
        Namespace namespace = rename.namespace();
        Map<String, String> before = known.get(namespace.name());
        if (before == null) {
            before = indices(rename, context);
        }
        while (true) {
            TreeSnapshot snapshot =
                    context.retryUntilAnswered("what stands around " + rename.requestId(), () -> tree.examine(rename));
            Map<String, String> after = indices(rename, context);
            if (after.equals(before)) {
                return new Reading(snapshot, after);
            }
            before = after;
        }
    }

    /**
     * Opens the scan of a rename's first pass, if a rename moves more than one document. Without an answer there is no such scan; the first pass
     * then opens its own after the commit. If several documents are at the source, they move first, as a scan after the commit shows them, so
     * the scans after it are opened after the commit as well.
     *
     * @throws RefusedException if Elasticsearch refuses it: nothing has changed yet
     */
    ReadBeforeCommit open(Rename rename, TreeSnapshot snapshot) {
        if (snapshot.own().size() > 1) {
            return ReadBeforeCommit.NOTHING;
        }
        boolean isOneDocument = snapshot.below() == 0 && snapshot.own().size() == 1;
        if (isOneDocument || rename.changesNothing()) {
            return ReadBeforeCommit.of(snapshot.own(), null);
        }
        try {
            return ReadBeforeCommit.of(snapshot.own(), tree.open(rename, snapshot));
        } catch (NoAnswerException e) {
            log.debug("request {}: no scan before the commit: {}", rename.requestId(), e.getMessage());
            return ReadBeforeCommit.of(snapshot.own(), null);
        }
    }

    private Map<String, String> indices(Rename rename, ProcessContext context) {
        Map<String, String> now = context.retryUntilAnswered(
                "the indices of " + rename.requestId(), () -> tree.indices(rename.namespace()));
        known.put(rename.namespace().name(), now);
        return now;
    }
}
