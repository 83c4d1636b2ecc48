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
final class TreeReader {

    /**
     * What was read.
     *
     * @param indices the uuids of the concrete indices in which the facts stand, by name
     */
    record Reading(Facts facts, Map<String, String> indices) {}

    private static final Logger log = LoggerFactory.getLogger(TreeReader.class);

    private final TreeStore tree;

    /** The indices of each namespace as they were last read, which spares a reading before the facts. */
    private final Map<String, Map<String, String>> known = new ConcurrentHashMap<>();

    TreeReader(TreeStore tree) {
        this.tree = tree;
    }

    /**
     * Reads until there is an answer.
     *
     * @throws RefusedException if the tree cannot be read
     */
    Reading read(Rename rename, Carrier carrier) {
        Namespace namespace = rename.namespace();
        Map<String, String> before = known.get(namespace.name());
        if (before == null) {
            before = indices(rename, carrier);
        }
        while (true) {
            Facts facts = carrier.persist("what stands around " + rename.requestId(), () -> tree.examine(rename));
            Map<String, String> after = indices(rename, carrier);
            if (after.equals(before)) {
                return new Reading(facts, after);
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
    ReadBeforeCommit open(Rename rename, Facts facts) {
        if (facts.own().size() > 1) {
            return ReadBeforeCommit.NOTHING;
        }
        boolean isOneDocument = facts.below() == 0 && facts.own().size() == 1;
        if (isOneDocument || rename.changesNothing()) {
            return ReadBeforeCommit.of(facts.own(), null);
        }
        try {
            return ReadBeforeCommit.of(facts.own(), tree.open(rename, facts));
        } catch (NoAnswerException e) {
            log.debug("request {}: no scan before the commit: {}", rename.requestId(), e.getMessage());
            return ReadBeforeCommit.of(facts.own(), null);
        }
    }

    private Map<String, String> indices(Rename rename, Carrier carrier) {
        Map<String, String> now =
                carrier.persist("the indices of " + rename.requestId(), () -> tree.indices(rename.namespace()));
        known.put(rename.namespace().name(), now);
        return now;
    }
}
