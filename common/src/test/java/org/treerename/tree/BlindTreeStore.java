package org.treerename.tree;

import java.util.List;
import java.util.function.IntPredicate;
import org.treerename.namespace.Namespace;
import org.treerename.path.TreePath;

/**
 * A tree store with two faults. Some scans find nothing, like scans on a node that is cut off from the other nodes. The
 * first removal may be rejected, as if the queue of a node were full.
 */
public final class BlindTreeStore implements ForwardingTreeStore {

    private final TreeStore tree;
    private final IntPredicate blind;
    private final boolean turnsAway;
    private int scans;
    private int removals;

    /**
     * @param blind the numbers of the scans that find nothing; the first scan has the number 1
     * @param turnsAway whether the first removal is rejected
     */
    public BlindTreeStore(TreeStore tree, IntPredicate blind, boolean turnsAway) {
        this.tree = tree;
        this.blind = blind;
        this.turnsAway = turnsAway;
    }

    @Override
    public TreeStore tree() {
        return tree;
    }

    @Override
    public Scan scan(Namespace namespace, TreePath path, Reach reach) {
        scans++;
        Scan scan = tree.scan(namespace, path, reach);
        return blind.test(scans) ? new Nothing(scan) : scan;
    }

    private record Nothing(Scan scan) implements Scan {
        @Override
        public List<Document> nextPage() {
            return List.of();
        }

        @Override
        public void close() {
            scan.close();
        }
    }

    @Override
    public List<Written> remove(List<Removal> refs) {
        removals++;
        return turnsAway && removals == 1
                ? refs.stream()
                        .map(ref -> (Written) new Written.Unknown("429 es_rejected_execution_exception"))
                        .toList()
                : tree.remove(refs);
    }
}
