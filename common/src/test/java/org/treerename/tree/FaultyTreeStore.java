package org.treerename.tree;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.treerename.namespace.Namespace;
import org.treerename.path.TreePath;
import org.treerename.store.Calls;

/** A tree store whose calls go through {@link Calls}, so that a test can interfere with the calls. */
public record FaultyTreeStore(TreeStore tree, Calls calls) implements TreeStore {

    private record FaultyScan(Scan scan, Calls calls) implements Scan {
        @Override
        public List<Document> nextPage() {
            return calls.read("tree.nextPage", scan::nextPage);
        }

        @Override
        public void close() {
            scan.close();
        }
    }

    @Override
    public Map<String, String> indices(Namespace namespace) {
        return calls.read("tree.indices", () -> tree.indices(namespace));
    }

    @Override
    public TreeSnapshot examine(Rename rename) {
        return calls.read("tree.examine", () -> tree.examine(rename));
    }

    @Override
    public Scan scan(Namespace namespace, TreePath path, Reach reach) {
        return new FaultyScan(calls.read("tree.scan", () -> tree.scan(namespace, path, reach)), calls);
    }

    @Override
    public Scan open(Rename rename, TreeSnapshot snapshot) {
        return new FaultyScan(calls.read("tree.open", () -> tree.open(rename, snapshot)), calls);
    }

    @Override
    public List<Written> move(Namespace namespace, List<Move> moves) {
        return calls.write("tree.move", () -> tree.move(namespace, moves));
    }

    @Override
    public Optional<Document> read(Namespace namespace, Document.Ref ref) {
        return calls.read("tree.read", () -> tree.read(namespace, ref));
    }

    @Override
    public List<Written> remove(List<Removal> removals) {
        return calls.write("tree.remove", () -> tree.remove(removals));
    }
}
