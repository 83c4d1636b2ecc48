package org.treerename.simulation;

import java.util.List;
import org.treerename.namespace.Namespace;
import org.treerename.path.TreePath;
import org.treerename.tree.ForwardingMoveStream;
import org.treerename.tree.ForwardingTreeStore;
import org.treerename.tree.MoveStream;
import org.treerename.tree.MoveStream.MoveResult;
import org.treerename.tree.TreeStore;

/**
 * Passes calls to a tree store, and counts the version conflicts in its answers. Reports each move of documents, and
 * each scan after a move without an answer.
 */
final class TalliedTreeStore implements ForwardingTreeStore {

    /** Receives a call before each move of documents, and before each scan after a move without an answer. */
    interface Ears {
        void moves();

        /**
         * The process begins a scan, and does not know whether earlier moves of the scanned documents have arrived.
         */
        void scans();
    }

    private final TreeStore tree;
    private final Stage stage;
    private final Ears ears;
    private boolean uncertain;

    /**
     * @param uncertain whether another process may have begun to move the documents that this process moves
     */
    TalliedTreeStore(TreeStore tree, Stage stage, boolean uncertain, Ears ears) {
        this.tree = tree;
        this.stage = stage;
        this.uncertain = uncertain;
        this.ears = ears;
    }

    @Override
    public TreeStore tree() {
        return tree;
    }

    private List<Written> tallied(List<Written> answers, Happening conflict) {
        for (Written answer : answers) {
            if (answer instanceof Written.Unknown unknown && unknown.why().startsWith("409")) {
                stage.happened(
                        conflict,
                        stage.scheduler().current().actor().name(),
                        () -> "gets a version conflict: " + conflict);
            }
        }
        return answers;
    }

    @Override
    public Scan scan(Namespace namespace, TreePath path, Reach reach) {
        if (uncertain) {
            ears.scans();
        }
        return tree.scan(namespace, path, reach);
    }

    @Override
    public List<Written> move(Namespace namespace, List<Move> moves) {
        ears.moves();
        boolean before = uncertain;
        uncertain = true;
        List<Written> answers = tallied(tree.move(namespace, moves), Happening.CONFLICT_AT_MOVE);
        uncertain = before;
        return answers;
    }

    @Override
    public MoveStream moves(Namespace namespace) {
        return new Tallied(tree.moves(namespace), this);
    }

    private record Tallied(MoveStream stream, TalliedTreeStore store) implements ForwardingMoveStream {

        @Override
        public List<MoveResult> send(List<Move> moves) {
            store.ears.moves();
            return store.noted(stream.send(moves));
        }

        @Override
        public List<MoveResult> finish() {
            return store.noted(stream.finish());
        }
    }

    private List<MoveResult> noted(List<MoveResult> results) {
        for (MoveResult result : results) {
            uncertain = uncertain || result.silence() != null;
            tallied(result.written(), Happening.CONFLICT_AT_MOVE);
        }
        return results;
    }

    @Override
    public List<Written> remove(List<Removal> removals) {
        return tallied(tree.remove(removals), Happening.CONFLICT_AT_REMOVAL);
    }
}
