package org.treerename.crash;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.treerename.namespace.Namespace;
import org.treerename.path.TreePath;
import org.treerename.tree.ForwardingTreeStore;
import org.treerename.tree.Rename;
import org.treerename.tree.TreeSnapshot;
import org.treerename.tree.TreeStore;

/**
 * Calls {@link CrashPoints#reach} before and after reads and writes of documents. Moves a page in two halves, so that a
 * point exists between the halves.
 */
final class CrashingTreeStore implements ForwardingTreeStore {

    /** The path of a scan, and the namespace of this path. */
    private record Place(String namespace, TreePath path) {}

    private final TreeStore tree;
    private final CrashPoints points;
    private final CrashPoint within;

    /** The places whose last scan found documents. */
    private final Set<Place> found = ConcurrentHashMap.newKeySet();

    CrashingTreeStore(TreeStore tree, CrashPoints points, CrashPoint within) {
        this.tree = tree;
        this.points = points;
        this.within = within;
    }

    @Override
    public TreeStore tree() {
        return tree;
    }

    @Override
    public Scan scan(Namespace namespace, TreePath path, Reach reach) {
        Place place = new Place(namespace.name(), path);
        if (found.remove(place)) {
            points.reach(CrashPoint.BEFORE_PROOF);
        }
        return new CrashingScan(tree.scan(namespace, path, reach), points, () -> {
            if (reach == Reach.AT_OR_BELOW) {
                found.add(place);
            }
        });
    }

    @Override
    public Scan open(Rename rename, TreeSnapshot snapshot) {
        Place place = new Place(rename.namespace().name(), rename.source());
        found.remove(place);
        return new CrashingScan(tree.open(rename, snapshot), points, () -> found.add(place));
    }

    @Override
    public List<Written> move(Namespace namespace, List<Move> moves) {
        points.reach(CrashPoint.BEFORE_MOVE);
        List<Written> answers = new ArrayList<>();
        int half = moves.size() / 2;
        if (half > 0) {
            answers.addAll(tree.move(namespace, moves.subList(0, half)));
            points.reach(within);
        }
        answers.addAll(tree.move(namespace, moves.subList(half, moves.size())));
        points.reach(CrashPoint.AFTER_MOVE);
        return answers;
    }

    @Override
    public List<Written> remove(List<Removal> removals) {
        points.reach(CrashPoint.BEFORE_REMOVAL);
        List<Written> answers = tree.remove(removals);
        points.reach(CrashPoint.AFTER_REMOVAL);
        return answers;
    }
}
